import type { Clock, Micros } from '../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import { JOB_COLUMNS, type Job, type JobPayload, type JobRow, jobOf } from './job.ts';

export interface NewJob {
  readonly kind: string;
  /** What the work is about: while a job of this kind and key is unfinished, a second one is the same job. */
  readonly key: string;
  readonly projectId?: string;
  readonly payload?: JobPayload;
  /** Now unless given. */
  readonly due?: Micros;
  readonly maxAttempts?: number;
}

export interface Enqueued {
  readonly jobId: string;
  /** False when the job was there already. */
  readonly created: boolean;
}

export interface JobQueue {
  enqueue(uow: UnitOfWork, job: NewJob): Promise<Enqueued>;
  /** Takes back what has not begun; false when it has, or when there is none. */
  cancel(uow: UnitOfWork, kind: string, key: string): Promise<boolean>;
  /** Sends a job whose outcome is unknown round again, once someone has looked. */
  retryUnknown(uow: UnitOfWork, jobId: string): Promise<boolean>;
  get(reader: Reader, jobId: string): Promise<Job | undefined>;
  /** Finished jobs older than the instant. */
  forgetFinished(uow: UnitOfWork, before: Micros): Promise<number>;
}

const DEFAULT_ATTEMPTS = 8;
const UNFINISHED = "state in ('queued', 'running', 'outcome_unknown')";

export function createJobQueue({ ids, clock }: { ids: () => string; clock: Clock }): JobQueue {
  return {
    async enqueue(uow, job) {
      const now = clock.now();
      const jobId = ids();
      const inserted = await uow.run(
        `insert into jobs (job_id, kind, job_key, project_id, payload, state, due_us, attempts, max_attempts, fence,
           created_us)
         values (?, ?, ?, ?, ?, 'queued', ?, 0, ?, 0, ?) on conflict do nothing`,
        [
          jobId,
          job.kind,
          job.key,
          job.projectId ?? null,
          JSON.stringify(job.payload ?? {}),
          job.due ?? now,
          job.maxAttempts ?? DEFAULT_ATTEMPTS,
          now,
        ],
      );
      if (inserted === 1) return { jobId, created: true };
      const present = await uow.get<{ job_id: string }>(
        `select job_id from jobs where kind = ? and job_key = ? and ${UNFINISHED}`,
        [job.kind, job.key],
      );
      // It finished between the two statements: the way is free now.
      if (!present) return this.enqueue(uow, job);
      return { jobId: present.job_id, created: false };
    },

    async cancel(uow, kind, key) {
      const cancelled = await uow.run(
        `update jobs set state = 'failed', last_error = 'cancelled', finished_us = ?
         where kind = ? and job_key = ? and state = 'queued'`,
        [clock.now(), kind, key],
      );
      return cancelled === 1;
    },

    async retryUnknown(uow, jobId) {
      const queued = await uow.run(
        `update jobs set state = 'queued', due_us = ?, max_attempts = max_attempts + 1
         where job_id = ? and state = 'outcome_unknown'`,
        [clock.now(), jobId],
      );
      return queued === 1;
    },

    async get(reader, jobId) {
      const row = await reader.get<JobRow>(`select ${JOB_COLUMNS} from jobs where job_id = ?`, [jobId]);
      return row && jobOf(row);
    },

    forgetFinished: (uow, before) => uow.run('delete from jobs where finished_us < ?', [before]),
  };
}
