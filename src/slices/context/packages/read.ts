import type { Principal } from '../../../spine/identity/principal.ts';
import type { Answer } from '../../../spine/operations/handler.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { envelopeText, jsonAnswer, packageHeaders } from '../answer.ts';
import { contextErrors } from '../errors.ts';
import type { ContextDeps } from '../ports.ts';
import { selectEntries } from '../review/store.ts';
import { findPackage } from './find.ts';
import { integrityFault, quarantine } from './integrity.ts';
import { packageText, type StoredPackage } from './stored-package.ts';

export interface ReadRequest {
  readonly principal: Principal;
  readonly packageId: string;
  readonly projectId: string | undefined;
}

export type ReadPackage = (
  request: ReadRequest,
  options: { readonly envelope?: boolean | undefined },
  headers?: { readonly 'if-none-match'?: string | undefined },
) => Promise<Answer<never>>;

/** Reads one package and checks it against its hash on the way out. */
export function createReadPackage({ db, hasher }: Pick<ContextDeps, 'db' | 'hasher'>): ReadPackage {
  return async ({ principal, packageId, projectId }, { envelope = false }, conditional = {}) => {
    const { 'if-none-match': known } = conditional;
    const { stored, text } = await db.read(async (reader) => {
      const found = await findPackage(reader, principal, packageId, projectId);
      if (found.tombstone !== null && !envelope) {
        throw contextErrors.package_redacted({ details: JSON.parse(found.tombstone) });
      }
      const [rendered = ''] = await renderPackages(reader, [found], envelope);
      return { stored: found, text: rendered };
    });
    const fault = integrityFault(hasher, stored);
    if (fault !== undefined && !stored.quarantined) await quarantine(db, stored);
    const headers = packageHeaders(stored);
    if (fault !== undefined) headers['relay-integrity'] = 'mismatch';
    const unchanged =
      known !== undefined &&
      fault === undefined &&
      known.split(/\s*,\s*/).includes(`"${stored.contentHash}"`);
    return unchanged && !envelope ? jsonAnswer('', headers, 304) : jsonAnswer(text, headers);
  };
}

/** As they are answered: alone, or each in an envelope. `scores` are those of a search, by package id. */
export async function renderPackages(
  reader: Reader,
  found: readonly StoredPackage[],
  envelope = false,
  scores?: ReadonlyMap<string, number>,
): Promise<string[]> {
  if (!envelope) return found.map(packageText);
  const texts: string[] = [];
  for (const stored of found) {
    const score = scores?.get(stored.packageId);
    const reviews = await selectEntries(reader, stored);
    texts.push(envelopeText(stored, { reviews, ...(score !== undefined && { score }) }));
  }
  return texts;
}
