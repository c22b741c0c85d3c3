import type { Database, UnitOfWork } from '../../storage/database.ts';
import { assignNumbers } from './number-store.ts';
import { shareRuns } from './share-runs.ts';

/** After `run`, every event that was committed before the call has its numbers. */
export interface Sequencer {
  run(): Promise<void>;
}

const BATCH = 500;

/**
 * SQLite has one writer, so events are numbered in the unit that writes them and nothing is left to do. PostgreSQL's
 * units overlap: whoever holds the lease numbers what is committed, in the order of insertion. An event that commits
 * late gets a later number, never one that a reader has already passed.
 */
export function createSequencer(db: Database): Sequencer {
  if (db.engine === 'sqlite') return { run: async () => {} };
  return {
    run: shareRuns(async () => {
      const waiting = await db.read((reader) =>
        reader.get('select 1 as one from events where leaf is null limit 1'),
      );
      if (!waiting) return;
      while ((await db.write(numberBatch)) === BATCH);
    }),
  };
}

async function numberBatch(uow: UnitOfWork): Promise<number> {
  await uow.lock('journal/sequencer');
  const rows = await uow.all<{ seq: number; project_id: string }>(
    'select seq, project_id from events where leaf is null order by seq limit ?',
    [BATCH],
  );
  if (rows.length === 0) return 0;
  const numbers = await assignNumbers(
    uow,
    rows.map((row) => row.project_id),
  );
  // The first row says the types; PostgreSQL would take bare parameters for text.
  const typed = '(cast(? as bigint), cast(? as bigint), cast(? as bigint))';
  const values = rows.map((_, nth) => (nth === 0 ? typed : '(?, ?, ?)')).join(', ');
  await uow.run(
    `update events set leaf = given.leaf, project_seq = given.project_seq
     from (values ${values}) as given (seq, leaf, project_seq) where events.seq = given.seq`,
    rows.flatMap((row, nth) => [row.seq, numbers[nth]?.leaf ?? null, numbers[nth]?.projectSeq ?? null]),
  );
  return rows.length;
}
