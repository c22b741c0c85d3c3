import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

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

/** The standing merges whose text repeats this memory. */
export async function selectMergesOver(reader: Reader, did: string, memoryId: string): Promise<Merge[]> {
  const rows = await reader.all<MergeRow>(
    `select ${COLUMNS} from memory_merges where profile_did = ? and undone_at is null and sources like ?`,
    [did, `%"${memoryId}"%`],
  );
  // `like` takes the underscore of an id for any character.
  return rows.map(mergeOf).filter(({ sources }) => sources.includes(memoryId));
}

/** The sources of each of these memories, including those of merged merges. */
export async function selectSources(
  reader: Reader,
  did: string,
  memoryIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const direct = new Map<string, readonly string[]>();
  for (let wanted = [...memoryIds]; wanted.length > 0; ) {
    const rows = await reader.all<{ memory_id: string; sources: string }>(
      `select memory_id, sources from memory_merges
       where profile_did = ? and undone_at is null and memory_id in (${wanted.map(() => '?').join(', ')})`,
      [did, ...wanted],
    );
    for (const row of rows) direct.set(row.memory_id, JSON.parse(row.sources) as string[]);
    wanted = rows.flatMap((row) => direct.get(row.memory_id) ?? []).filter((id) => !direct.has(id));
  }
  const behind = (id: string): string[] => (direct.get(id) ?? []).flatMap((each) => [each, ...behind(each)]);
  return new Map(memoryIds.map((id) => [id, new Set(behind(id))]));
}

export async function markUndone(uow: UnitOfWork, mergeId: string, at: string): Promise<void> {
  await uow.run('update memory_merges set undone_at = ? where merge_id = ? or memory_id = ?', [
    at,
    mergeId,
    mergeId,
  ]);
}
