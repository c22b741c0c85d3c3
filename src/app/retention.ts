import type { Clock } from '../kernel/clock.ts';
import type { JobHandler } from '../spine/jobs/handler.ts';
import type { JobQueue } from '../spine/jobs/queue.ts';
import {
  hasPrunable,
  pruneEndedSessions,
  type RetentionDeps,
  type RetentionResult,
} from '../spine/journal/chains/retention.ts';

export const RETENTION_JOB = 'journal.retention';
const DAY_MICROS = 24 * 3600 * 1e6;
const LOOK_EVERY_MICROS = 3600 * 1e6;

export interface RetentionJobDeps extends RetentionDeps {
  readonly clock: Clock;
  readonly jobs: JobQueue;
  /** Payloads of ended sessions are kept so long; for good unless set. */
  readonly days: number | undefined;
}

export interface Retention {
  readonly job: JobHandler<RetentionResult>;
  /** Enqueues the job once an hour, if there is anything to drop: an idle server writes nothing. */
  enqueueWhenDue(): Promise<void>;
}

/** A job, so that of several processes one drops, another goes on if it dies, and no checkpoint waits for it. */
export function createRetention(deps: RetentionJobDeps): Retention {
  const { db, clock, jobs, days } = deps;
  const endedBefore = () => clock.now() - (days ?? Number.POSITIVE_INFINITY) * DAY_MICROS;
  let next = 0;
  return {
    job: {
      idempotent: true,
      run: (_job, signal) => pruneEndedSessions(deps, endedBefore(), signal),
    },
    async enqueueWhenDue() {
      if (days === undefined || clock.now() < next) return;
      next = clock.now() + LOOK_EVERY_MICROS;
      if (!(await db.read((reader) => hasPrunable(reader, endedBefore())))) return;
      await db.write((uow) => jobs.enqueue(uow, { kind: RETENTION_JOB, key: 'ended sessions' }));
    },
  };
}
