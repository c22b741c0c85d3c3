import type { Micros } from '../../kernel/clock.ts';

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'outcome_unknown';

/** Ids only: what a job works on is read when it runs, so that nothing personal outlives its own row. */
export type JobPayload = Readonly<Record<string, string | number | boolean | null>>;

export interface Job {
  readonly jobId: string;
  readonly kind: string;
  readonly key: string;
  readonly projectId: string | null;
  readonly payload: JobPayload;
  readonly state: JobState;
  readonly due: Micros;
  /** How often it was begun. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Grows with each claim: an outcome counts only under the fence it was claimed with. */
  readonly fence: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: Micros | null;
  /** The code of the last failure. */
  readonly lastError: string | null;
}
