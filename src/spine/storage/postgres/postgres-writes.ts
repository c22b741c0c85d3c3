import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UnitOfWork } from '../database.ts';
import { storageErrors } from '../errors.ts';
import type { DatabaseOptions } from '../options.ts';
import { pauseBriefly } from '../slots.ts';
import type { Watching } from '../watch.ts';
import { Batch, type BatchOutcome, type BatchSettings } from './batch.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { unavailable } from './postgres-error.ts';
import type { QueuedUnit } from './queued-unit.ts';
import { Session } from './session.ts';

/** Savepoints past this many cost the server more than they save. */
const UNITS_PER_BATCH = 60;
/** All of a batch wait for its commit; every statement of a unit is a way to the server and back. */
const BATCH_MS = 200;

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
 * Units wait in one queue. A lane that is free takes all that wait into one transaction; a unit that met what others hold
 * runs again alone, on connections of its own, so that waiting keeps nobody else from writing.
 */
export class PostgresWrites {
  readonly #pools: WritePools;
  readonly #lanes: number;
  readonly #options: DatabaseOptions;
  readonly #watching: Watching;
  readonly #onCommit: () => void;
  readonly #queue: QueuedUnit[] = [];
  #busy = 0;
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

  write<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
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
      this.#queue.push({
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
      });
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
    while (this.#queue.length > 0) {
      const until = performance.now() + (this.#options.batchMs ?? BATCH_MS);
      const taken: QueuedUnit[] = [];
      const next = (joined: number) => {
        if (joined > 0 && (joined >= UNITS_PER_BATCH || performance.now() > until)) return undefined;
        const queued = this.#queue.shift();
        if (queued !== undefined) taken.push(queued);
        return queued;
      };
      try {
        await this.#settle(await this.#run(this.#pools.lanes, BEGIN_BATCH, next));
      } catch (error) {
        // No connection was to be had: those who waited for it are told.
        for (const queued of taken.length > 0 ? taken : this.#queue.splice(0)) queued.reject(error);
      }
    }
  }

  #run(pool: ConnectionPool, beginning: string, next: BatchSettings['next']): Promise<BatchOutcome> {
    this.#fault();
    const settings = { options: this.#options, watching: this.#watching, next };
    return pool.lend(beginning, (client) => new Batch(new Session(client), settings).run());
  }

  async #runAlone(queued: QueuedUnit): Promise<void> {
    if (queued.reruns > 0) await pauseBriefly();
    let given = false;
    const next = () => {
      if (given) return undefined;
      given = true;
      return queued;
    };
    try {
      await this.#settle(await this.#run(this.#pools.alone, BEGIN_ALONE, next));
    } catch (error) {
      queued.reject(error);
    }
  }

  async #settle({ committed, failed, again }: BatchOutcome): Promise<void> {
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
