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

export interface JobRow {
  readonly job_id: string;
  readonly kind: string;
  readonly job_key: string;
  readonly project_id: string | null;
  readonly payload: string;
  readonly state: JobState;
  readonly due_us: number;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly fence: number;
  readonly lease_owner: string | null;
  readonly lease_until_us: number | null;
  readonly last_error: string | null;
}

export const JOB_COLUMNS = `job_id, kind, job_key, project_id, payload, state, due_us, attempts, max_attempts, fence,
  lease_owner, lease_until_us, last_error`;

export function jobOf(row: JobRow): Job {
  return {
    jobId: row.job_id,
    kind: row.kind,
    key: row.job_key,
    projectId: row.project_id,
    payload: JSON.parse(row.payload) as JobPayload,
    state: row.state,
    due: row.due_us,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    fence: row.fence,
    leaseOwner: row.lease_owner,
    leaseUntil: row.lease_until_us,
    lastError: row.last_error,
  };
}
