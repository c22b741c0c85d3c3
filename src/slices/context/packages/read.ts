import type { Answer } from '../../../spine/operations/handler.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { envelopeText, jsonAnswer, packageHeaders } from '../answer.ts';
import { contextErrors } from '../errors.ts';
import type { ContextDeps } from '../ports.ts';
import { selectEntries } from '../review/store.ts';
import { integrityFault, quarantine } from './integrity.ts';
import { packageText, type StoredPackage } from './stored-package.ts';

export interface ReadOptions {
  readonly envelope?: boolean | undefined;
  /** The `If-None-Match` header. */
  readonly known?: string | undefined;
}

export type ReadPackage = (
  find: (reader: Reader) => Promise<StoredPackage>,
  options: ReadOptions,
) => Promise<Answer<never>>;

/** Answers with one package and checks it against its hash on the way out. */
export function createReadPackage({ db, hasher }: Pick<ContextDeps, 'db' | 'hasher'>): ReadPackage {
  return async (find, { envelope = false, known }) => {
    const { stored, text } = await db.read(async (reader) => {
      const found = await find(reader);
      if (found.tombstone !== null && !envelope) {
        throw contextErrors.package_redacted({ details: JSON.parse(found.tombstone) });
      }
      return { stored: found, text: await renderPackage(reader, found, envelope) };
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

export async function renderPackage(
  reader: Reader,
  stored: StoredPackage,
  envelope: boolean,
  score?: number,
): Promise<string> {
  if (!envelope) return packageText(stored);
  const reviews = await selectEntries(reader, stored);
  return envelopeText(stored, { reviews, ...(score !== undefined && { score }) });
}
