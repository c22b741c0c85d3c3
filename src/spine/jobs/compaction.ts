import type { Clock } from '../../kernel/clock.ts';
import type { Database, Leftover, UnitOfWork } from '../storage/database.ts';
import { storageErrors } from '../storage/errors.ts';
import type { JobHandler } from './handler.ts';
import type { JobQueue } from './queue.ts';

export const COMPACTION_JOB = 'store.compact';

/** Who deleted waits for the work itself; the job is for a process that dies meanwhile, and for bytes that others hold. */
const TAKE_OVER_AFTER = 30_000_000;
const TRIES = 100_000;

/**
 * For content that must leave the store's files too. Deleting is done when its unit commits; that bytes are left is no
 * error of it, so nothing here throws after that.
 */
export interface Compaction {
  /** In the unit that deletes. */
  due(uow: UnitOfWork): Promise<string>;
  /** After the unit, with what `due` returned: where bytes are left for now. The job goes on until none are. */
  now(key: string): Promise<readonly Leftover[]>;
  readonly job: JobHandler;
}

export function createCompaction(deps: {
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly ids: () => string;
}): Compaction {
  const { db, jobs, clock, ids } = deps;
  return {
    async due(uow) {
      const key = ids();
      const due = clock.now() + TAKE_OVER_AFTER;
      await jobs.enqueue(uow, { kind: COMPACTION_JOB, key, due, maxAttempts: TRIES });
      return key;
    },

    async now(key) {
      try {
        const { remains } = await db.compact();
        if (remains.length === 0) await db.write((uow) => jobs.cancel(uow, COMPACTION_JOB, key));
        return remains;
      } catch {
        // Such as a full disk: the job tries again.
        return ['file'];
      }
    },

    job: {
      idempotent: true,
      async run() {
        const { remains } = await db.compact();
        if (remains.length > 0) throw storageErrors.storage_locked();
      },
    },
  };
}
