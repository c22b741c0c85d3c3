import type { Hasher } from '../../../../kernel/hasher.ts';
import { readPlain } from '../../../../kernel/json/reader.ts';
import type { Principal } from '../../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../../spine/storage/database.ts';
import type { RecordEvent } from '../../ledger.ts';
import { updateStanding } from '../../packages/store.ts';
import type { StoredPackage } from '../../packages/stored-package.ts';
import { brokenEntry, type ReviewEntry } from '../../review/rules.ts';
import { insertEntry, selectEntries } from '../../review/store.ts';
import { reviewEntrySchema } from '../../schema.ts';
import { refused } from './line.ts';
import type { ImportedPackage } from './read-package.ts';

export interface LogEnds {
  readonly packageId: string;
  readonly depositHash: string;
  readonly contentHash: string;
}

/** Reads a log and checks that each entry follows from the one before. */
export function readLog(hasher: Hasher, lines: readonly string[], packageId: string): readonly ReviewEntry[] {
  const entries = lines.map((line) => readEntry(line, packageId));
  const broken = brokenEntry(hasher, entries);
  if (broken) {
    throw refused(`Entry ${broken.seq} of the review log of ${packageId} does not follow.`, {
      package_id: packageId,
    });
  }
  return entries;
}

/** The log must begin with what was deposited and end with what there is now. */
export function checkEnds(
  log: readonly ReviewEntry[],
  { packageId, depositHash, contentHash }: LogEnds,
): void {
  const details = { package_id: packageId };
  const [first, last] = [log[0], log.at(-1)];
  if (last && last.new_hash !== contentHash)
    throw refused(`The review log of ${packageId} does not lead to it.`, details);
  if (first && first.prev_hash !== depositHash)
    throw refused(`The review log of ${packageId} does not begin with its deposit.`, details);
}

function readEntry(line: string, packageId: string): ReviewEntry {
  const entry = reviewEntrySchema.safeParse(readPlain(line));
  if (!entry.success || entry.data.package_id !== packageId) {
    throw refused(`A line is not an entry of the review log of ${packageId}.`, { package_id: packageId });
  }
  return entry.data;
}

/** What the other log has beyond ours; throws if the two diverge. */
export async function entriesBeyond(
  uow: UnitOfWork,
  stored: StoredPackage,
  theirs: readonly ReviewEntry[],
): Promise<readonly ReviewEntry[]> {
  const own = await selectEntries(uow, stored);
  const shared = Math.min(own.length, theirs.length);
  const parted = own.slice(0, shared).some((entry, at) => entry.entry_hash !== theirs[at]?.entry_hash);
  if (parted)
    throw refused(`The review logs of ${stored.packageId} diverge.`, { package_id: stored.packageId });
  return theirs.slice(own.length);
}

/** Repeats the reviews that the other side has had since, and returns how many. */
export async function catchUpReviews(
  uow: UnitOfWork,
  stored: StoredPackage,
  read: ImportedPackage,
  { principal, record }: { readonly principal: Principal; readonly record: RecordEvent },
): Promise<number> {
  const beyond = await entriesBeyond(uow, stored, read.reviews);
  let at = stored;
  for (const entry of beyond) {
    const moved = {
      status: entry.to,
      reviewType: entry.review_type_after,
      contentHash: entry.new_hash,
      current: read.current ?? '',
    };
    if (!(await updateStanding(uow, at, moved))) throw refused('A package changed in the meantime.', {});
    await insertEntry(uow, entry);
    await record(uow, {
      projectId: stored.projectId,
      by: principal.actor,
      type: 'package.transitioned',
      payload: {
        package_id: stored.packageId,
        from: entry.from,
        to: entry.to,
        review_type: entry.review_type_after,
        content_hash: entry.new_hash,
        entry_hash: entry.entry_hash,
        actor_id: principal.actor.id,
        actor_type: principal.actor.type,
        imported: true,
      },
    });
    at = { ...at, ...moved, logSeq: entry.seq };
  }
  return beyond.length;
}
