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

export interface StoredCheckpoint {
  readonly size: number;
  /** Hex. */
  readonly root: string;
  /** The signed note, as any C2SP verifier reads it. */
  readonly note: string;
  readonly createdAt: string;
}

interface CheckpointRow {
  readonly size: number;
  readonly root: string;
  readonly note: string;
  readonly created_at: string;
}

function checkpointOf(row: CheckpointRow): StoredCheckpoint {
  return { size: row.size, root: row.root, note: row.note, createdAt: row.created_at };
}

export async function lastCheckpoint(reader: Reader): Promise<StoredCheckpoint | undefined> {
  const row = await reader.get<CheckpointRow>(
    'select size, root, note, created_at from checkpoints order by size desc limit 1',
  );
  return row && checkpointOf(row);
}

export async function checkpointAt(reader: Reader, size: number): Promise<StoredCheckpoint | undefined> {
  const row = await reader.get<CheckpointRow>(
    'select size, root, note, created_at from checkpoints where size = ?',
    [size],
  );
  return row && checkpointOf(row);
}

export async function checkpointsAfter(
  reader: Reader,
  size: number,
  limit: number,
): Promise<StoredCheckpoint[]> {
  const rows = await reader.all<CheckpointRow>(
    'select size, root, note, created_at from checkpoints where size > ? order by size limit ?',
    [size, limit],
  );
  return rows.map(checkpointOf);
}

/** False when another process has signed since the checkpoint that this one follows. */
export async function insertCheckpoint(
  uow: UnitOfWork,
  checkpoint: StoredCheckpoint,
  previousSize: number,
): Promise<boolean> {
  const { size, root, note, createdAt } = checkpoint;
  const moved = await uow.run('update journal_head set signed_size = ? where id = 1 and signed_size = ?', [
    size,
    previousSize,
  ]);
  if (moved !== 1) return false;
  await uow.run('insert into checkpoints (size, root, note, created_at) values (?, ?, ?, ?)', [
    size,
    root,
    note,
    createdAt,
  ]);
  return true;
}
