import type { Database, UnitOfWork } from '../../storage/database.ts';
import { hasUnnumbered, numberEvents, selectUnnumbered } from '../events/event-store.ts';
import { assignClaimed, holdNumbers } from './number-store.ts';

/** After `run`, every event that was committed before the call has its numbers. */
export interface Sequencer {
  run(): Promise<void>;
}

const BATCH = 500;

/**
 * SQLite has one writer, so events are numbered in the unit that writes them and nothing is left to do. PostgreSQL's
 * units overlap. One that finds itself alone numbers its own as well; whoever holds the lease numbers the rest of what is
 * committed, in the order of insertion. An event that commits late gets a later number, never one that a reader has
 * already passed.
 */
export function createSequencer(db: Database): Sequencer {
  if (db.engine === 'sqlite') return { run: async () => {} };
  return {
    run: shareRuns(async () => {
      if (!(await db.read(hasUnnumbered))) return;
      while ((await db.write(numberBatch, { apart: true })) === BATCH);
    }),
  };
}

async function numberBatch(uow: UnitOfWork): Promise<number> {
  await uow.lock('journal/sequencer');
  const rows = await selectUnnumbered(uow, BATCH);
  if (rows.length === 0) return 0;
  const stretches = rows.map(({ project_id: projectId, length }) => ({ projectId, length }));
  await numberEvents(uow, rows, await assignClaimed(uow, await holdNumbers(uow), stretches));
  return rows.length;
}

/**
 * Merges calls that wait at the same time. A call never joins a run that has already begun: that run may have looked
 * before the caller's own change was there.
 */
export function shareRuns(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    const run = work().finally(() => {
      if (current === run) current = undefined;
    });
    current = run;
    return run;
  }

  return () => {
    if (!current) return start();
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
