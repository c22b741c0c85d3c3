import type { Clock, Micros } from '../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import type { Job, JobPayload } from './job.ts';
import {
  cancelQueued,
  deleteFinished,
  insertJob,
  requeueUnknown,
  selectJob,
  selectUnfinished,
} from './store.ts';

export interface NewJob {
  readonly kind: string;
  /** What the work is about: while a job of this kind and key is unfinished, a second one is the same job. */
  readonly key: string;
  readonly projectId?: string;
  readonly payload?: JobPayload;
  /** Defaults to now. */
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

export function createJobQueue({ ids, clock }: { ids: () => string; clock: Clock }): JobQueue {
  return {
    async enqueue(uow, { kind, key, projectId = null, payload = {}, due, maxAttempts = DEFAULT_ATTEMPTS }) {
      const now = clock.now();
      for (;;) {
        const jobId = ids();
        const job = { jobId, kind, key, projectId, payload, due: due ?? now, maxAttempts };
        if (await insertJob(uow, job, now)) return { jobId, created: true };
        const present = await selectUnfinished(uow, kind, key);
        // Undefined when it finished between the two statements: the way is free now.
        if (present !== undefined) return { jobId: present, created: false };
      }
    },

    cancel: (uow, kind, key) => cancelQueued(uow, kind, key, clock.now()),
    retryUnknown: (uow, jobId) => requeueUnknown(uow, jobId, clock.now()),
    get: selectJob,
    forgetFinished: deleteFinished,
  };
}
