import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Random } from '../../kernel/clock.ts';
import { BatonError } from '../../kernel/error.ts';
import { toHex } from '../../kernel/hex.ts';
import { createCommitBell } from '../journal/feed/commit-bell.ts';
import type { Database, UnitOfWork } from '../storage/database.ts';
import { type Backoff, defaultBackoff, retryDelay } from './backoff.ts';
import type { JobHandler, JobHandlers, JobOutcome } from './handler.ts';
import type { Job } from './job.ts';
import { claimNext, closeAttempt, expiredLeases, extendLease, lookAhead, takeExpired } from './store.ts';

export interface WorkerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly backoff?: Backoff;
  readonly leaseSeconds?: number;
  /** Jobs at the same time in this process. */
  readonly concurrency?: number;
  /** Called with errors outside any job, such as an unreachable store. */
  readonly onError?: (error: unknown) => void;
}

export interface Drained {
  /** Attempts begun, however they ended. */
  readonly attempts: number;
}

export interface Worker {
  /** Does what is due now, and what that makes due at once, then returns. */
  drain(signal?: AbortSignal): Promise<Drained>;
  /** Works until the signal fires and what is running has ended. */
  run(signal: AbortSignal): Promise<void>;
}

const LONGEST_SLEEP_MS = 30_000;
/** Most commits add no job, so commits close together are checked once. */
const BETWEEN_LOOKS_MS = 20;
const PAUSE_AFTER_ERROR_MS = 1_000;

/** What is overdue after all was done that can be done is another worker's, or cannot be recorded now. */
const untilDue = (micros: number) => (micros <= 0 ? PAUSE_AFTER_ERROR_MS : micros / 1000);

/** Keeps the process alive: otherwise, stopping here would end it before the rest is closed. */
async function pause(signal: AbortSignal): Promise<void> {
  await sleep(BETWEEN_LOOKS_MS, undefined, { signal }).catch(() => undefined);
}

/** Several workers, in one process or many, share the table: a lease keeps each job with one of them. */
export function createWorker(db: Database, handlers: JobHandlers, options: WorkerOptions): Worker {
  const { clock, random } = options;
  const backoff = options.backoff ?? defaultBackoff;
  const leaseSeconds = options.leaseSeconds ?? 30;
  /** Read each time, because a slice may add its kind after the worker was created. */
  const kindsOf = () => [...handlers.keys()];
  const report = options.onError ?? ((error: unknown) => process.emitWarning(String(error)));
  const owner = toHex(random.bytes(8));

  const leaseMicros = (kind: string) => (handlers.get(kind)?.leaseSeconds ?? leaseSeconds) * 1_000_000;
  const leaseEnd = (kind: string) => clock.now() + leaseMicros(kind);

  /**
   * A lease that is no longer extended was lost with its process. Only an idempotent job may simply run again.
   * One job per unit, so that one that cannot be recorded does not hold up the others.
   */
  async function recoverLost(): Promise<void> {
    const lost = await db.read((reader) => expiredLeases(reader, kindsOf(), clock.now()));
    for (const job of lost) {
      try {
        await db.write((uow) => recover(uow, job));
      } catch (error) {
        report(error);
      }
    }
  }

  async function recover(uow: UnitOfWork, job: Job): Promise<void> {
    if (!(await takeExpired(uow, job, clock.now()))) return;
    const handler = handlers.get(job.kind);
    if (handler?.idempotent) await retryOrFail(uow, job, handler, 'lease_expired');
    else await close(uow, job, handler, { state: 'outcome_unknown' });
  }

  async function retryOrFail(uow: UnitOfWork, job: Job, handler: JobHandler | undefined, error: string) {
    if (job.attempts >= job.maxAttempts) return close(uow, job, handler, { state: 'failed', error });
    const now = clock.now();
    await closeAttempt(
      uow,
      job,
      { state: 'queued', error, due: now + retryDelay(job.attempts, backoff, random) },
      now,
    );
  }

  async function close(uow: UnitOfWork, job: Job, handler: JobHandler | undefined, outcome: JobOutcome) {
    const error = outcome.state === 'failed' ? { error: outcome.error } : {};
    const closed = await closeAttempt(uow, job, { state: outcome.state, ...error }, clock.now());
    if (closed) await handler?.recorded?.(uow, job, outcome);
  }

  async function perform(job: Job, stop: AbortSignal | undefined): Promise<void> {
    const handler = handlers.get(job.kind);
    if (!handler) return;
    const gone = new AbortController();
    const stopped = () => gone.abort();
    stop?.addEventListener('abort', stopped, { once: true });
    const heartbeat = setInterval(() => {
      db.write((uow) => extendLease(uow, job, leaseEnd(job.kind))).then(
        (kept) => kept || gone.abort(),
        report,
      );
    }, leaseMicros(job.kind) / 3000);
    heartbeat.unref();
    try {
      const ended = await attempt(handler, job, gone.signal);
      await db.write((uow) =>
        ended.state === 'try_again'
          ? retryOrFail(uow, job, handler, ended.error)
          : close(uow, job, handler, ended),
      );
    } finally {
      clearInterval(heartbeat);
      stop?.removeEventListener('abort', stopped);
    }
  }

  const look = () => db.read((reader) => lookAhead(reader, kindsOf(), clock.now()));

  async function workOff(stop: AbortSignal | undefined): Promise<number> {
    let attempts = 0;
    while (!stop?.aborted) {
      const now = clock.now();
      if (!(await look()).now) break;
      await recoverLost();
      const job = await db.write((uow) => claimNext(uow, kindsOf(), { owner, now, until: leaseEnd }));
      if (!job) break;
      attempts += 1;
      await perform(job, stop);
    }
    return attempts;
  }

  async function drain(stop?: AbortSignal): Promise<Drained> {
    const lanes = Array.from({ length: options.concurrency ?? 4 }, () => workOff(stop));
    const settled = await Promise.allSettled(lanes);
    const failed = settled.find((lane) => lane.status === 'rejected');
    if (failed) throw failed.reason;
    return {
      attempts: settled.reduce((sum, lane) => sum + (lane.status === 'fulfilled' ? lane.value : 0), 0),
    };
  }

  return {
    drain,
    async run(signal) {
      const bell = createCommitBell(db, () => {}).listen();
      try {
        while (!signal.aborted) {
          bell.reset();
          let sleepMs = LONGEST_SLEEP_MS;
          try {
            let { now, next } = await look();
            if (now) {
              await drain(signal);
              ({ next } = await look());
            }
            if (next !== undefined) sleepMs = Math.min(sleepMs, untilDue(next - clock.now()));
          } catch (error) {
            report(error);
            sleepMs = PAUSE_AFTER_ERROR_MS;
          }
          await bell.rung(signal, sleepMs);
          await pause(signal);
        }
      } finally {
        bell.close();
      }
    },
  };
}

type AttemptEnd = JobOutcome | { readonly state: 'try_again'; readonly error: string };

/** Runs the effect and reads from what it threw how it ended. Only codes are kept: messages may quote what is personal. */
async function attempt(handler: JobHandler, job: Job, signal: AbortSignal): Promise<AttemptEnd> {
  try {
    return { state: 'done', result: await handler.run(job, signal) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'job_given_up') return { state: 'failed', error: codeOf((error as Error).cause) };
    if (code === 'outcome_unknown' && !handler.idempotent) return { state: 'outcome_unknown' };
    return { state: 'try_again', error: code };
  }
}

function codeOf(error: unknown): string {
  if (error instanceof BatonError) return error.code;
  return error instanceof Error ? error.name : 'error';
}
