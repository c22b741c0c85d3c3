import type { Hasher } from '../../../kernel/hasher.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { giveTurn } from '../../../platform/turn.ts';
import type { Database } from '../../../spine/storage/database.ts';
import { packageHashes } from './rules.ts';
import { markQuarantined, selectArrived } from './store.ts';
import { packageText, type StoredPackage } from './stored-package.ts';

const PAGE = 200;
const MAX_DEPTH = 500;

/** Why a package does not match its hashes; undefined if it does. A redacted one has nothing left to check. */
export function integrityFault(hasher: Hasher, stored: StoredPackage): string | undefined {
  if (stored.original === null) return undefined;
  try {
    const deposited = readJson(stored.original, { maxDepth: MAX_DEPTH }) as JsonObject;
    const before = packageHashes(hasher, deposited);
    if (before.content !== stored.depositHash) return 'deposit_hash';
    if (before.body !== stored.bodyHash) return 'body_hash';
    if (stored.current === null)
      return stored.contentHash === stored.depositHash ? undefined : 'content_hash';
    const current = readJson(packageText(stored), { maxDepth: MAX_DEPTH }) as JsonObject;
    const now = packageHashes(hasher, current);
    if (now.body !== stored.bodyHash) return 'body_hash';
    return now.content === stored.contentHash ? undefined : 'content_hash';
  } catch {
    return 'unreadable';
  }
}

export interface Mismatch {
  readonly package_id: string;
  readonly reason: string;
}

/** Checks one page per read, so that a large project does not hold up others. */
export async function checkProject(
  db: Database,
  hasher: Hasher,
  projectId: string,
): Promise<{ readonly checked: number; readonly mismatches: Mismatch[] }> {
  const mismatches: Mismatch[] = [];
  let checked = 0;
  let after = 0;
  for (;;) {
    const { packages, more } = await db.read((reader) => selectArrived(reader, projectId, after, PAGE));
    for (const stored of packages) {
      await giveTurn();
      const reason = integrityFault(hasher, stored);
      if (reason === undefined) continue;
      mismatches.push({ package_id: stored.packageId, reason });
      await quarantine(db, stored);
    }
    checked += packages.length;
    after = packages.at(-1)?.seq ?? after;
    if (!more) return { checked, mismatches };
  }
}

export async function quarantine(db: Database, { projectId, packageId }: StoredPackage): Promise<void> {
  await db.write((uow) => markQuarantined(uow, projectId, packageId));
}
