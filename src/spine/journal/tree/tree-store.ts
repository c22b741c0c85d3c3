import type { Reader, UnitOfWork } from '../../storage/database.ts';

/** Nodes of a level are stored from the first on, without gaps. */
export async function countNodes(reader: Reader, level: number): Promise<number> {
  const row = await reader.get<{ last: number | null }>(
    'select max(idx) as last from tree_nodes where level = ?',
    [level],
  );
  return (row?.last ?? -1) + 1;
}

/** Nodes that are there already stay as they are. */
export async function insertNodes(
  uow: UnitOfWork,
  level: number,
  first: number,
  hashes: readonly string[],
): Promise<void> {
  await uow.run(
    `insert into tree_nodes (level, idx, hash) values ${hashes.map(() => '(?, ?, ?)').join(', ')}
     on conflict do nothing`,
    hashes.flatMap((hash, at) => [level, first + at, hash]),
  );
}

export async function selectNodeHash(
  reader: Reader,
  level: number,
  index: number,
): Promise<string | undefined> {
  const row = await reader.get<{ hash: string }>('select hash from tree_nodes where level = ? and idx = ?', [
    level,
    index,
  ]);
  return row?.hash;
}

/** The hashes of a level from `first` up to, not including, `end`, as one text. */
export async function selectNodeHashes(
  reader: Reader,
  level: number,
  first: number,
  end: number,
): Promise<string> {
  const row = await reader.get<{ hashes: string | null }>(
    `select string_agg(hash, '' order by idx) as hashes from tree_nodes where level = ? and idx >= ? and idx < ?`,
    [level, first, end],
  );
  return row?.hashes ?? '';
}

/** The stored nodes of a level by index, from `first` to `last`. */
export async function selectNodes(
  reader: Reader,
  level: number,
  first: number,
  last: number,
): Promise<ReadonlyMap<number, string>> {
  const rows = await reader.all<{ idx: number; hash: string }>(
    'select idx, hash from tree_nodes where level = ? and idx >= ? and idx <= ? order by idx',
    [level, first, last],
  );
  return new Map(rows.map((row) => [row.idx, row.hash]));
}
