import type { Reader, UnitOfWork } from '../../storage/database.ts';

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

/** Answers the checkpoint of that size that stands: another process may have been first. */
export async function insertCheckpoint(
  uow: UnitOfWork,
  checkpoint: StoredCheckpoint,
): Promise<StoredCheckpoint> {
  await uow.run(
    'insert into checkpoints (size, root, note, created_at) values (?, ?, ?, ?) on conflict do nothing',
    [checkpoint.size, checkpoint.root, checkpoint.note, checkpoint.createdAt],
  );
  const row = await uow.get<CheckpointRow>(
    'select size, root, note, created_at from checkpoints where size = ?',
    [checkpoint.size],
  );
  return row ? checkpointOf(row) : checkpoint;
}
