import type { Reader, UnitOfWork } from '../../storage/database.ts';

export interface Merge {
  readonly mergeId: string;
  readonly memoryId: string;
  readonly sources: readonly string[];
  readonly mergedAt: string;
  readonly mergedBy: string;
  readonly undoneAt: string | null;
}

interface MergeRow {
  readonly merge_id: string;
  readonly memory_id: string;
  readonly sources: string;
  readonly merged_at: string;
  readonly merged_by: string;
  readonly undone_at: string | null;
}

const COLUMNS = 'merge_id, memory_id, sources, merged_at, merged_by, undone_at';

const mergeOf = (row: MergeRow): Merge => ({
  mergeId: row.merge_id,
  memoryId: row.memory_id,
  sources: JSON.parse(row.sources),
  mergedAt: row.merged_at,
  mergedBy: row.merged_by,
  undoneAt: row.undone_at,
});

export async function insertMerge(uow: UnitOfWork, did: string, merge: Merge): Promise<void> {
  await uow.run(
    'insert into memory_merges (merge_id, profile_did, memory_id, sources, merged_at, merged_by) values (?, ?, ?, ?, ?, ?)',
    [merge.mergeId, did, merge.memoryId, JSON.stringify(merge.sources), merge.mergedAt, merge.mergedBy],
  );
}

export async function selectMerge(reader: Reader, did: string, mergeId: string): Promise<Merge | undefined> {
  const row = await reader.get<MergeRow>(
    `select ${COLUMNS} from memory_merges where profile_did = ? and (merge_id = ? or memory_id = ?)`,
    [did, mergeId, mergeId],
  );
  return row && mergeOf(row);
}

export async function selectMergesOf(reader: Reader, did: string): Promise<Merge[]> {
  const rows = await reader.all<MergeRow>(
    `select ${COLUMNS} from memory_merges where profile_did = ? order by merged_at desc, merge_id limit 1000`,
    [did],
  );
  return rows.map(mergeOf);
}

export async function markUndone(uow: UnitOfWork, mergeId: string, at: string): Promise<void> {
  await uow.run('update memory_merges set undone_at = ? where merge_id = ? or memory_id = ?', [
    at,
    mergeId,
    mergeId,
  ]);
}

export async function deleteMerge(uow: UnitOfWork, did: string, mergeId: string): Promise<void> {
  await uow.run('delete from memory_merges where profile_did = ? and merge_id = ?', [did, mergeId]);
}
