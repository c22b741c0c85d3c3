import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { UnitOfWork, WriteOptions } from '../database.ts';
import { storageErrors } from '../errors.ts';
import type { DatabaseOptions } from '../options.ts';
import { pauseBriefly } from '../slots.ts';
import type { Watching } from '../watch.ts';
import { Batch, type NextUnit } from './batch.ts';
import type { BatchOutcome, BatchSettings } from './batch-outcome.ts';
import type { ConnectionPool, Lent } from './connection-pool.ts';
import { EagerBatch } from './eager-batch.ts';
import { unavailable } from './postgres-error.ts';
import type { QueuedUnit } from './queued-unit.ts';
import { Session } from './session.ts';

/** So many that their rows are many beside what a batch costs by itself, and few enough to be run again. */
const UNITS_PER_BATCH = 128;
/** Savepoints past this many cost the server more than they save. */
const CAREFUL_UNITS = 60;
/** All of a batch wait for its commit; every statement of a unit is a way to the server and back. */
const BATCH_MS = 200;
/**
 * Who was just answered is likely to ask again at once, and a batch costs about as much by itself as thirty units: it waits
 * for them, for a small part of the time that the last one took.
 */
const WAIT_FOR_MORE_MS = 15;
const WAIT_FOR_MORE_PART = 0.15;
/** So many batches are run with care after one whose units could not be told apart when something went wrong. */
const CAREFUL_BATCHES = 16;

/**
 * A process that freezes inside a transaction keeps its locks for three seconds; then the server ends it, and what it
 * commits late is refused.
 */
const begin = (lockTimeoutMs: number) =>
  `begin isolation level read committed; set local idle_in_transaction_session_timeout = 3000; set local lock_timeout = ${lockTimeoutMs}`;

/** Below the second after which the server looks for deadlocks: a unit that waits so long runs again alone. */
const BEGIN_BATCH = begin(900);
const BEGIN_ALONE = begin(4_000);

export interface WritePools {
  /** One connection for each lane. */
  readonly lanes: ConnectionPool;
  readonly alone: ConnectionPool;
}

/**
 * Units wait in one queue. A lane that is free takes all that wait into one transaction; a unit that met what others hold,
 * or is to be apart, runs alone, on connections of its own, so that waiting keeps nobody else from writing.
 */
export class PostgresWrites {
  readonly #pools: WritePools;
  readonly #lanes: number;
  readonly #options: DatabaseOptions;
  readonly #watching: Watching;
  readonly #onCommit: () => void;
  readonly #queue: QueuedUnit[] = [];
  #busy = 0;
  /** How many of the busy lanes have taken units. */
  #running = 0;
  #careful = 0;
  #closed = false;
  #whenIdle: (() => void) | undefined;
  #open = 0;

  constructor(
    pools: WritePools,
    lanes: number,
    options: DatabaseOptions,
    watching: Watching,
    onCommit: () => void,
  ) {
    this.#pools = pools;
    this.#lanes = lanes;
    this.#options = options;
    this.#watching = watching;
    this.#onCommit = onCommit;
  }

  write<T>(work: (uow: UnitOfWork) => Promise<T>, { apart = false }: WriteOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) {
        reject(storageErrors.storage_closed());
        return;
      }
      this.#open += 1;
      const settled = () => {
        this.#open -= 1;
        if (this.#open === 0) this.#whenIdle?.();
      };
      const queued: QueuedUnit = {
        work,
        reruns: 0,
        resolve: (result) => {
          settled();
          resolve(result as T);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
      if (apart) {
        void this.#runAlone(queued);
        return;
      }
      this.#queue.push(queued);
      this.#startLane();
    });
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#open === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
  }

  #startLane(): void {
    if (this.#busy === this.#lanes) return;
    this.#busy += 1;
    void this.#runLane().finally(() => {
      this.#busy -= 1;
      if (this.#queue.length > 0) this.#startLane();
    });
  }

  async #runLane(): Promise<void> {
    // Lets every request of this turn of the event loop join the batch.
    await nextTurn();
    let answered = 0;
    let tookMs = 0;
    while (this.#queue.length > 0) {
      await this.#waitForMore(answered, tookMs);
      const taken = this.#takeShare();
      this.#running += 1;
      const started = performance.now();
      try {
        await this.#runTogether(taken);
      } catch (error) {
        // No connection was to be had: all who wait for one are told.
        for (const queued of [...taken, ...this.#queue.splice(0)]) queued.reject(error);
      } finally {
        this.#running -= 1;
        answered = taken.length;
        tookMs = performance.now() - started;
      }
    }
  }

  async #waitForMore(answered: number, tookMs: number): Promise<void> {
    if (answered < 2) return;
    const expected = Math.min(answered + this.#queue.length, UNITS_PER_BATCH);
    const until = performance.now() + Math.min(WAIT_FOR_MORE_MS, tookMs * WAIT_FOR_MORE_PART);
    while (this.#queue.length < expected && performance.now() < until) await sleep(1);
  }

  /** What waits is shared out among the lanes that are free. */
  #takeShare(): QueuedUnit[] {
    const free = this.#lanes - this.#running;
    return this.#queue.splice(0, Math.min(UNITS_PER_BATCH, Math.ceil(this.#queue.length / free)));
  }

  async #runTogether(units: readonly QueuedUnit[]): Promise<void> {
    const batchMs = this.#options.batchMs ?? BATCH_MS;
    if (units.length === 1 || this.#careful > 0) {
      if (units.length > 1) this.#careful -= 1;
      return this.#runCarefully(units, batchMs);
    }
    const outcome = await this.#lend(this.#pools.lanes, BEGIN_BATCH, (session, settings) =>
      new EagerBatch(session, settings, batchMs).run(units),
    );
    await this.#settle(outcome);
    if (outcome.carefully === undefined) return;
    this.#careful = CAREFUL_BATCHES;
    await this.#runCarefully(outcome.carefully, batchMs);
  }

  async #runCarefully(units: readonly QueuedUnit[], batchMs: number): Promise<void> {
    const waiting = [...units];
    const until = performance.now() + batchMs;
    const next: NextUnit = (joined) =>
      joined > 0 && (joined >= CAREFUL_UNITS || performance.now() > until) ? undefined : waiting.shift();
    const outcome = await this.#lend(this.#pools.lanes, BEGIN_BATCH, (session, settings) =>
      new Batch(session, settings, next).run(),
    );
    await this.#settle({ ...outcome, left: waiting });
  }

  async #lend(
    pool: ConnectionPool,
    beginning: string,
    run: (session: Session, settings: BatchSettings) => Promise<Lent<BatchOutcome>>,
  ): Promise<BatchOutcome> {
    this.#fault();
    const settings = { options: this.#options, watching: this.#watching };
    return pool.lend(beginning, (client) => run(new Session(client), settings));
  }

  async #runAlone(queued: QueuedUnit): Promise<void> {
    if (queued.reruns > 0) await pauseBriefly();
    let given = false;
    const next: NextUnit = () => {
      if (given) return undefined;
      given = true;
      return queued;
    };
    try {
      const outcome = await this.#lend(this.#pools.alone, BEGIN_ALONE, (session, settings) =>
        new Batch(session, settings, next).run(),
      );
      await this.#settle(outcome);
    } catch (error) {
      queued.reject(error);
    }
  }

  async #settle({ committed, failed, again, left = [] }: BatchOutcome): Promise<void> {
    this.#queue.unshift(...left);
    for (const queued of again) void this.#runAlone(queued);
    for (const { queued, error } of failed) queued.reject(error);
    let wrote = false;
    for (const { queued, unit, result, error } of committed) {
      if (error !== undefined) {
        queued.reject(error.cause);
        continue;
      }
      wrote ||= unit.wrote;
      unit.runEffects();
      queued.resolve(result);
    }
    if (!wrote) return;
    this.#options.onCommitted?.(committed.length);
    this.#onCommit();
  }

  #fault(): void {
    try {
      this.#options.faults?.('begin');
    } catch (cause) {
      throw unavailable(cause);
    }
  }
}
