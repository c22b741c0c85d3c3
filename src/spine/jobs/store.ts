import type { Micros } from '../../kernel/clock.ts';
import type { Reader, SqlValue, UnitOfWork } from '../storage/database.ts';
import type { Job, JobPayload, JobState } from './job.ts';

interface JobRow {
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

const COLUMNS = `job_id, kind, job_key, project_id, payload, state, due_us, attempts, max_attempts, fence,
  lease_owner, lease_until_us, last_error`;

function jobOf(row: JobRow): Job {
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

function anyOf(kinds: readonly string[]): string {
  return kinds.length === 0 ? '1 = 0' : `kind in (${kinds.map(() => '?').join(', ')})`;
}

/** Takes the job that has waited longest past its due time, if there is one. */
export async function claimNext(
  uow: UnitOfWork,
  kinds: readonly string[],
  lease: { owner: string; now: Micros; until: (kind: string) => Micros },
): Promise<Job | undefined> {
  // Claims are short: one at a time costs less than claims that collide.
  await uow.lock('jobs/claim');
  const row = await uow.get<JobRow>(
    `select ${COLUMNS} from jobs where state = 'queued' and due_us <= ? and ${anyOf(kinds)}
     order by due_us, seq limit 1`,
    [lease.now, ...kinds],
  );
  if (!row) return undefined;
  const until = lease.until(row.kind);
  const claimed = await uow.run(
    `update jobs set state = 'running', attempts = attempts + 1, fence = fence + 1, lease_owner = ?, lease_until_us = ?
     where job_id = ? and state = 'queued' and fence = ?`,
    [lease.owner, until, row.job_id, row.fence],
  );
  if (claimed !== 1) return undefined;
  return {
    ...jobOf(row),
    state: 'running',
    attempts: row.attempts + 1,
    fence: row.fence + 1,
    leaseOwner: lease.owner,
    leaseUntil: until,
  };
}

/** False if another worker has taken the job. */
export async function extendLease(uow: UnitOfWork, job: Job, until: Micros): Promise<boolean> {
  const extended = await uow.run(
    "update jobs set lease_until_us = ? where job_id = ? and fence = ? and state = 'running'",
    [until, job.jobId, job.fence],
  );
  return extended === 1;
}

export async function expiredLeases(reader: Reader, kinds: readonly string[], now: Micros): Promise<Job[]> {
  const rows = await reader.all<JobRow>(
    `select ${COLUMNS} from jobs where state = 'running' and lease_until_us <= ? and ${anyOf(kinds)}
     order by lease_until_us limit 100`,
    [now, ...kinds],
  );
  return rows.map(jobOf);
}

/** False when its owner has extended or ended it after all, or another worker was first. */
export async function takeExpired(uow: UnitOfWork, job: Job, now: Micros): Promise<boolean> {
  const taken = await uow.run(
    `update jobs set lease_owner = 'nobody' where job_id = ? and fence = ? and state = 'running' and lease_until_us <= ?`,
    [job.jobId, job.fence, now],
  );
  return taken === 1;
}

export interface JobEnd {
  readonly state: Exclude<JobState, 'running'>;
  readonly error?: string;
  /** When a queued job is tried again. */
  readonly due?: Micros;
}

/**
 * Records how an attempt ended, if nobody has claimed the job since. A late outcome of a job that was given up as lost
 * is still its outcome.
 */
export async function closeAttempt(uow: UnitOfWork, job: Job, end: JobEnd, now: Micros): Promise<boolean> {
  const finished = end.state === 'done' || end.state === 'failed';
  const params: SqlValue[] = [
    end.state,
    end.error ?? null,
    end.due ?? job.due,
    finished ? now : null,
    job.jobId,
    job.fence,
  ];
  const closed = await uow.run(
    `update jobs set state = ?, last_error = ?, due_us = ?, finished_us = ?, lease_owner = null, lease_until_us = null
     where job_id = ? and fence = ? and state in ('running', 'queued', 'outcome_unknown')`,
    params,
  );
  return closed === 1;
}

export interface Ahead {
  /** A job is due, or a lease has run out. */
  readonly now: boolean;
  /** When the next one will be. */
  readonly next: Micros | undefined;
}

export async function lookAhead(reader: Reader, kinds: readonly string[], now: Micros): Promise<Ahead> {
  const row = await reader.get<{ due: number | null; lease: number | null }>(
    `select (select min(due_us) from jobs where state = 'queued' and ${anyOf(kinds)}) as due,
       (select min(lease_until_us) from jobs where state = 'running' and ${anyOf(kinds)}) as lease`,
    [...kinds, ...kinds],
  );
  const times = [row?.due, row?.lease].filter((time) => typeof time === 'number');
  if (times.length === 0) return { now: false, next: undefined };
  const next = Math.min(...times);
  return { now: next <= now, next };
}

export interface QueuedJob {
  readonly jobId: string;
  readonly kind: string;
  readonly key: string;
  readonly projectId: string | null;
  readonly payload: JobPayload;
  readonly due: Micros;
  readonly maxAttempts: number;
}

/** False while a job of this kind and key is unfinished. */
export async function insertJob(uow: UnitOfWork, job: QueuedJob, now: Micros): Promise<boolean> {
  const inserted = await uow.run(
    `insert into jobs (job_id, kind, job_key, project_id, payload, state, due_us, attempts, max_attempts, fence,
       created_us)
     values (?, ?, ?, ?, ?, 'queued', ?, 0, ?, 0, ?) on conflict do nothing`,
    [job.jobId, job.kind, job.key, job.projectId, JSON.stringify(job.payload), job.due, job.maxAttempts, now],
  );
  return inserted === 1;
}

export async function selectUnfinished(
  reader: Reader,
  kind: string,
  key: string,
): Promise<string | undefined> {
  const row = await reader.get<{ job_id: string }>(
    `select job_id from jobs where kind = ? and job_key = ? and state in ('queued', 'running', 'outcome_unknown')`,
    [kind, key],
  );
  return row?.job_id;
}

export async function selectJob(reader: Reader, jobId: string): Promise<Job | undefined> {
  const row = await reader.get<JobRow>(`select ${COLUMNS} from jobs where job_id = ?`, [jobId]);
  return row && jobOf(row);
}

/** False when it has begun, or when there is none. */
export async function cancelQueued(
  uow: UnitOfWork,
  kind: string,
  key: string,
  now: Micros,
): Promise<boolean> {
  const cancelled = await uow.run(
    `update jobs set state = 'failed', last_error = 'cancelled', finished_us = ?
     where kind = ? and job_key = ? and state = 'queued'`,
    [now, kind, key],
  );
  return cancelled === 1;
}

export async function requeueUnknown(uow: UnitOfWork, jobId: string, due: Micros): Promise<boolean> {
  const queued = await uow.run(
    `update jobs set state = 'queued', due_us = ?, max_attempts = max_attempts + 1
     where job_id = ? and state = 'outcome_unknown'`,
    [due, jobId],
  );
  return queued === 1;
}

export function deleteFinished(uow: UnitOfWork, before: Micros): Promise<number> {
  return uow.run('delete from jobs where finished_us < ?', [before]);
}

export function countJobs(reader: Reader): Promise<{ readonly state: string; readonly jobs: number }[]> {
  return reader.all('select state, count(*) as jobs from jobs group by state order by state');
}
