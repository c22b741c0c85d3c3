import { BatonError } from '../../../kernel/error.ts';
import type { DeliveryDeps } from '../ports.ts';
import type { HistoryRow } from '../records.ts';
import { readRows } from '../repository/files.ts';
import { FILES, within } from '../repository/paths.ts';
import { readEvents } from '../repository/snapshot.ts';
import type { Mirror } from './mirror.ts';
import { differencesFromRecord } from './recorded.ts';
import { type AttachedRepository, selectRecorded } from './store.ts';

export interface Comparison {
  /** Events on record. */
  readonly recorded: number;
  /** Of these, how many were recorded before their content was kept. */
  readonly by_id_only: number;
  readonly faults: readonly string[];
}

/**
 * Compares the files of a run, as they are in the repository, with what the server recorded of them while they were
 * written: who can change the files, Baton's copies of them included, cannot change that unseen.
 */
export async function compareWithRecord(
  { db, hasher }: Pick<DeliveryDeps, 'db' | 'hasher'>,
  mirror: Mirror,
  { repositoryId, root }: AttachedRepository,
): Promise<Comparison> {
  const faults: string[] = [];
  try {
    // What Baton itself wrote since the last look is on record first; what others wrote never is.
    await mirror.catchUp(repositoryId);
  } catch (error) {
    faults.push(unreadable(error));
  }
  const recorded = await db.read((reader) => selectRecorded(reader, repositoryId));
  try {
    const rows = (await readRows(within(root, FILES.history))) as readonly HistoryRow[];
    faults.push(...differencesFromRecord(recorded, await readEvents(root), rows, hasher));
  } catch (error) {
    faults.push(unreadable(error));
  }
  return {
    recorded: recorded.size,
    by_id_only: [...recorded.values()].filter((digest) => digest === null).length,
    faults: [...new Set(faults)],
  };
}

/** Files that cannot be read are a difference, too. */
function unreadable(error: unknown): string {
  if (error instanceof BatonError) return error.message;
  throw error;
}
