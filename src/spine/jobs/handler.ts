import type { UnitOfWork } from '../storage/database.ts';
import type { Job } from './job.ts';

export type JobOutcome<T = unknown> =
  | { readonly state: 'done'; readonly result: T }
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'outcome_unknown' };

/**
 * How one kind of job is done: the claim records the intent, `run` has the effect, `recorded` writes the outcome in the
 * unit that closes the job.
 */
export interface JobHandler<T = unknown> {
  /** Whether a run that may have happened can simply be done again. */
  readonly idempotent: boolean;
  readonly leaseSeconds?: number;
  /**
   * Runs outside any unit. Throwing means that the effect did not happen and is tried again; `jobErrors.job_given_up`
   * ends the tries, `jobErrors.outcome_unknown` says that it may have happened. The signal fires when the worker stops
   * or has lost the job.
   */
  run(job: Job, signal: AbortSignal): Promise<T>;
  /** Called when a job ends, not for attempts that are tried again. An unknown outcome may be followed by the true one. */
  recorded?(uow: UnitOfWork, job: Job, outcome: JobOutcome<T>): Promise<void>;
}

export type JobHandlers = ReadonlyMap<string, JobHandler>;
