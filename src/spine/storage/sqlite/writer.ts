import { setImmediate as nextTurn } from 'node:timers/promises';
import { giveTurn } from '../../../platform/turn.ts';
import type { UnitOfWork, WriteOptions } from '../database.ts';
import { storageErrors } from '../errors.ts';
import { type DatabaseOptions, lockWait } from '../options.ts';
import { pauseBriefly } from '../slots.ts';
import { applyGathered, type Gathered } from '../unit-frame.ts';
import type { Watching } from '../watch.ts';
import { Checkpointer } from './checkpointer.ts';
import { Connection } from './connection.ts';
import { requireDataFile } from './data-file.ts';
import { type CommitFailure, PendingCommits } from './pending-commits.ts';
import { type FileFault, faultWords, SameFiles } from './same-files.ts';
import { isBusy, isLoss, unavailable } from './sqlite-error.ts';
import { SqliteUnit } from './sqlite-unit.ts';
import { isStall, unlessStalled } from './stall-guard.ts';
import { WalFlush } from './wal-flush.ts';

interface Waiting {
  readonly work: (uow: UnitOfWork) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly flush: 'now' | 'soon';
}

interface Finished {
  readonly waiting: Waiting;
  readonly unit: SqliteUnit;
  readonly error?: { readonly cause: unknown };
  readonly result?: unknown;
}

const UNITS_PER_BATCH = 256;

/** The only connection that writes: units that wait together share one commit, and it works while the last commit is flushed. */
export class Writer {
  readonly #path: string;
  readonly #options: DatabaseOptions;
  readonly #watching: Watching;
  readonly #onCommit: () => void;
  readonly #queue: Waiting[] = [];
  readonly #flush: WalFlush;
  readonly #pending: PendingCommits;
  readonly #checkpoints: Checkpointer;
  #connection: Connection | undefined;
  #pumping: Promise<void> | undefined;
  #closed = false;
  #openings = 0;
  /** How many of the next units have the transaction to themselves. */
  #alone = 0;
  /** How many of the next units are in batches whose units can be undone by themselves. */
  #careful = 0;
  /** A flush failed: what the file holds may be in memory alone. */
  #doubtful = false;
  /** What has been committed may be lost, and nothing may be committed on top of it; set until the connection is given up. */
  #failure: CommitFailure | undefined;
  #files: SameFiles;
  /** Set for good once the files are not those that were opened. */
  #displaced: Error | undefined;
  /** Why the last batch was lost, until one succeeds. */
  lastLoss: Error | undefined;

  constructor(
    path: string,
    connection: Connection,
    options: DatabaseOptions,
    watching: Watching,
    onCommit: () => void,
  ) {
    this.#path = path;
    this.#files = new SameFiles(path);
    this.#connection = connection;
    this.#options = options;
    this.#watching = watching;
    this.#onCommit = onCommit;
    this.#flush = new WalFlush(path);
    this.#checkpoints = new Checkpointer(path);
    this.#pending = new PendingCommits(
      this.#flush,
      options,
      () => this.#files,
      (failure) => this.#fail(failure),
    );
  }

  /** Until then a power failure may still take back what others can read by now; undefined if none can. */
  get durable(): Promise<void> | undefined {
    return this.#pending.durable;
  }

  write<T>(work: (uow: UnitOfWork) => Promise<T>, { flush = 'now' }: WriteOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) {
        reject(storageErrors.storage_closed());
        return;
      }
      this.#queue.push({ work, resolve: resolve as (result: unknown) => void, reject, flush });
      this.#pending.noticeUnit();
      this.#pumping ??= this.#pump();
    });
  }

  /** Changes when another connection has committed; undefined while this one cannot tell. */
  foreignVersion(): string | undefined {
    if (this.#closed) return undefined;
    this.#connection ??= this.#reopen();
    if (this.#connection.inTransaction) return undefined;
    return `${this.#openings}:${this.#connection.dataVersion()}`;
  }

  async close(): Promise<void> {
    this.#closed = true;
    while (this.#pumping !== undefined) await this.#pumping;
    await this.#pending.idle;
    await this.#checkpoints.close();
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return;
    await this.#flush.running?.catch(() => undefined);
    try {
      connection.exec('pragma wal_checkpoint(truncate)');
    } catch (error) {
      if (!isLoss(error)) throw error;
    } finally {
      this.#flush.close();
      connection.close();
    }
  }

  async #pump(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#pending.worthBeginning(() => this.#queue.length);
      await this.#checkpoints.finishing?.catch(() => undefined);
      // Lets every request of this turn of the event loop join the batch.
      await nextTurn();
      await this.#batch();
    }
    this.#pumping = undefined;
  }

  async #batch(): Promise<void> {
    const finished: Finished[] = [];
    const present = this.#queue.length;
    let connection: Connection;
    try {
      connection = await this.#begin();
    } catch (error) {
      for (const waiting of this.#queue.splice(0, present)) waiting.reject(error);
      return;
    }
    const gathered: Gathered[] = [];
    let committing = false;
    try {
      if ((await this.#runUnits(connection, finished, gathered)) === 'spoilt') {
        connection.exec('rollback');
        this.#giveUp();
        this.#runCarefully(finished);
        return;
      }
      const refusal = await this.#applyGathered(connection, gathered);
      if (refusal !== undefined) {
        connection.exec('rollback');
        this.#giveUp();
        this.#runApart(finished, refusal.cause);
        return;
      }
      await giveTurn();
      this.#options.faults?.('before.commit');
      if (this.#failure !== undefined) throw new Error('a commit before this one may be lost');
      committing = true;
      connection.exec('commit');
      this.#options.faults?.('after.commit');
    } catch (cause) {
      // What was committed before may still be saved, by the file that is closed here.
      await this.#pending.idle;
      this.#rollBack();
      this.#giveUp();
      // If the disk fails during the commit, it is unknown what was kept.
      rejectAll(finished, this.#lose(cause, committing ? { outcome: 'unknown' } : {}));
      return;
    }
    this.#pending.add({
      units: finished.length,
      flush: flushOf(finished),
      settle: () => this.#settle(finished),
      fail: (loss) => rejectAll(finished, loss),
    });
    this.#checkpoints.look(connection);
  }

  /** Retries for the write lock without blocking the process. */
  async #begin(): Promise<Connection> {
    const deadline = performance.now() + lockWait(this.#options);
    for (;;) {
      try {
        this.#options.faults?.('begin');
        // To open it anew may take all of the WAL, which somebody else must not have then.
        if (this.#connection === undefined) await this.#checkpoints.running;
        this.#connection ??= this.#reopen();
        this.#connection.exec('begin immediate');
        return this.#connection;
      } catch (error) {
        if (!isBusy(error)) {
          await this.#pending.idle;
          throw this.#lose(error);
        }
        if (performance.now() > deadline) throw storageErrors.storage_locked({ cause: error });
      }
      await pauseBriefly();
    }
  }

  /**
   * That one unit is undone and the others are not takes a savepoint for each, which copies every page that the unit
   * changes. Most units succeed, and most that fail do so before they write: so they run without, and where one fails
   * that has written, the batch is spoilt and runs again with savepoints.
   */
  async #runUnits(
    connection: Connection,
    finished: Finished[],
    gathered: Gathered[],
  ): Promise<'run' | 'spoilt'> {
    // All of a batch wait for its commit, so it ends early when its units are slow.
    const until = performance.now() + (this.#options.batchMs ?? 40);
    const savepoint = this.#careful > 0;
    const most = this.#alone > 0 ? 1 : UNITS_PER_BATCH;
    this.#alone = Math.max(0, this.#alone - 1);
    while (finished.length < most && performance.now() < until) {
      const waiting = this.#queue.shift();
      if (waiting === undefined) break;
      this.#careful = Math.max(0, this.#careful - 1);
      const unit = new SqliteUnit(connection, this.#options, this.#watching, gathered);
      const place = finished.push({ waiting, unit }) - 1;
      const outcome = await this.#runUnit(connection, waiting, unit, savepoint);
      finished[place] = outcome;
      if (outcome.error !== undefined && unit.changed && !savepoint) return 'spoilt';
      if (outcome.error === undefined && unit.gathered.size > 0) gathered.push(unit.gathered);
    }
    return 'run';
  }

  async #runUnit(
    connection: Connection,
    waiting: Waiting,
    unit: SqliteUnit,
    savepoint: boolean,
  ): Promise<Finished> {
    this.#options.faults?.('unit.start');
    if (savepoint) connection.run('savepoint unit');
    let outcome: Finished;
    try {
      const work = unit.perform(() => waiting.work(unit));
      outcome = { waiting, unit, result: await unlessStalled(work, this.#options, () => unit.pausing) };
    } catch (cause) {
      outcome = { waiting, unit, error: { cause } };
    }
    unit.end();
    if (unit.loss !== undefined) throw unit.loss.cause;
    if (savepoint) {
      if (outcome.error !== undefined) connection.run('rollback to unit');
      connection.run('release unit');
    }
    this.#options.faults?.('unit.released');
    return outcome;
  }

  /** Applies what the units left to their commit. Returns the error if that fails; throws if the transaction is lost. */
  async #applyGathered(
    connection: Connection,
    gathered: readonly Gathered[],
  ): Promise<{ readonly cause: unknown } | undefined> {
    if (gathered.length === 0) return undefined;
    const unit = new SqliteUnit(connection, this.#options, this.#watching, gathered);
    let refusal: { readonly cause: unknown } | undefined;
    try {
      const work = unit.perform(() => applyGathered(unit, gathered, this.#watching.watch));
      await unlessStalled(work, this.#options, () => unit.pausing);
    } catch (cause) {
      refusal = { cause };
    }
    unit.end();
    if (unit.loss !== undefined) throw unit.loss.cause;
    return refusal;
  }

  /** One of them broke the shared commit; each runs again in its own transaction, so that only that one fails. */
  #runApart(finished: readonly Finished[], cause: unknown): void {
    if (finished.length === 1) {
      finished[0]?.waiting.reject(cause);
      return;
    }
    this.#runAgain(finished);
    this.#alone = finished.length;
  }

  /** A unit that stalled would stall again, and has perhaps done what it waits for. */
  #runCarefully(finished: readonly Finished[]): void {
    const others = finished.filter(({ error }) => !isStall(error?.cause));
    for (const { waiting, error } of finished) if (isStall(error?.cause)) waiting.reject(error?.cause);
    this.#runAgain(others);
    // Where one fails so, more may: they shall not cost a second run each time.
    this.#careful = others.length + UNITS_PER_BATCH;
  }

  #runAgain(finished: readonly Finished[]): void {
    this.#queue.unshift(...finished.map(({ waiting }) => waiting));
  }

  /** Errors wait for the commit too: a unit may have failed on what a neighbour wrote and then lost. */
  async #settle(finished: readonly Finished[]): Promise<void> {
    this.lastLoss = undefined;
    let wrote = false;
    for (const { waiting, unit, error, result } of finished) {
      // What each caller does with its answer happens at once: with many, others wait for all of it.
      await giveTurn();
      if (error !== undefined) {
        waiting.reject(error.cause);
        continue;
      }
      wrote ||= unit.wrote;
      unit.runEffects();
      waiting.resolve(result);
    }
    if (!wrote) return;
    this.#options.onCommitted?.(finished.length);
    this.#onCommit();
  }

  #reopen(): Connection {
    if (this.#displaced !== undefined) throw this.#displaced;
    requireDataFile(this.#path);
    this.#openings++;
    const connection = Connection.openWriter(this.#path);
    this.#files = new SameFiles(this.#path);
    if (!this.#doubtful) return connection;
    try {
      connection.settle();
      this.#doubtful = false;
      return connection;
    } catch (error) {
      connection.discard();
      throw error;
    }
  }

  /** At once, unless a batch is at work: that one notices before it commits. */
  #fail(failure: CommitFailure): void {
    this.#failure = failure;
    if (!this.#connection?.inTransaction) this.#giveUp();
  }

  /** Nobody is told that what may be lost was kept. */
  #giveUp(): void {
    const failure = this.#failure;
    if (failure === undefined) return;
    this.#failure = undefined;
    if ('doubtful' in failure) this.#doubtful ||= failure.doubtful;
    const cause = 'fault' in failure ? this.#displace(failure.fault) : failure.cause;
    this.#pending.fail(this.#lose(cause, { outcome: 'unknown' }));
  }

  /**
   * Whoever opens the files now finds others than we write to, so nothing more is written until the process starts again.
   * What the deleted WAL still holds for us is saved into the data file, if that is in its place.
   */
  #displace(fault: FileFault): Error {
    let saved = false;
    if (fault === 'wal_deleted') {
      try {
        this.#connection?.settle();
        saved = this.#connection !== undefined;
      } catch {
        // What could not be saved is told below.
      }
    }
    this.#displaced = storageErrors.storage_displaced({
      message: `${faultWords(fault)}. ${saved ? 'All that it held has been saved into the data file.' : 'What was committed since may be lost.'}`,
      details: { reason: fault, saved },
    });
    return this.#displaced;
  }

  #rollBack(): void {
    try {
      if (this.#connection?.inTransaction) this.#connection.exec('rollback');
    } catch {
      // The connection is given up in any case.
    }
  }

  /** The transaction is gone; a fresh connection starts from what the file really holds. */
  #lose(cause: unknown, details?: Readonly<Record<string, unknown>>): Error {
    this.#flush.close();
    this.#connection?.discard();
    this.#connection = undefined;
    this.lastLoss = this.#displaced ?? unavailable(cause, details);
    return this.lastLoss;
  }
}

function flushOf(finished: readonly Finished[]): 'now' | 'soon' | undefined {
  const wrote = finished.filter(({ unit }) => unit.wrote);
  if (wrote.length === 0) return undefined;
  return wrote.some(({ waiting }) => waiting.flush === 'now') ? 'now' : 'soon';
}

function rejectAll(finished: readonly Finished[], loss: Error): void {
  for (const { waiting, unit } of finished) {
    unit.end(loss);
    waiting.reject(loss);
  }
}
