import type { Migration } from './migration.ts';
import type { Watch } from './watch.ts';

export type Engine = 'sqlite' | 'postgres';

/** What a statement takes. Booleans are stored as 0 and 1, documents as text. */
export type SqlValue = string | number | null | Uint8Array;

/**
 * Statements are written once for both engines: `?` for parameters, lower-case names, the dialect both share.
 * Integers come back as numbers, bytes as Uint8Array.
 */
export interface Reader {
  readonly engine: Engine;
  all<R extends object>(sql: string, params?: readonly SqlValue[]): Promise<R[]>;
  get<R extends object>(sql: string, params?: readonly SqlValue[]): Promise<R | undefined>;
  /** Rows as their cells, in the order of the columns: for whoever reads whole tables. */
  cells(sql: string, params?: readonly SqlValue[]): Promise<SqlValue[][]>;
  /**
   * Lets others have a turn of the event loop, if this work has held it for long. Every statement does so by itself: this is
   * for loops that compute more than they ask the store.
   */
  giveTurn(): Promise<void>;
}

/**
 * One atomic change. The work given to `Database.write` reads and writes only through it, awaits nothing but it,
 * and may be run again from the start (PostgreSQL retries conflicts), so it keeps no effect of its own.
 */
export interface UnitOfWork extends Reader {
  /** Returns the number of rows changed. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
  /**
   * The same for a statement of which nobody needs to know more than that it failed, and that not before the unit ends:
   * PostgreSQL is sent it without waiting for its answer.
   */
  send(sql: string, params?: readonly SqlValue[]): Promise<void>;
  /** Serialises units that name the same key until they end. Once per unit, before the first read it protects. */
  lock(...keys: string[]): Promise<void>;
  /**
   * `lock` and then `get`, on one way to the server: for a read of what nobody changes without one of these keys. Units
   * that wait together may all be asked for theirs before the first of them runs; what a row says of anything that the keys
   * do not guard is then as old as the batch.
   */
  lockedGet<R extends object>(
    keys: readonly string[],
    sql: string,
    params?: readonly SqlValue[],
  ): Promise<R | undefined>;
  /** State of this run of the unit, created on first use: how a room buffers its rows until the unit ends. */
  memo<T>(key: symbol, create: () => T): T;
  /** Runs inside the transaction after the work has returned, in the order given. */
  beforeCommit(step: () => Promise<void>): void;
  /**
   * Leaves the item to the commit, which applies those of all its units at once, in their order. A unit that reads
   * what it left reads the state without it, so only what nobody in a unit decides by may be gathered, or what those who
   * do also ask `lastLeft` for.
   */
  gather<T>(gathering: Gathering<T>, item: T): void;
  /** What the unit must know of work that is still to be done: the last such item left to this commit, by it or before it. */
  lastLeft<T>(gathering: Gathering<T>, matches: (item: T) => boolean): T | undefined;
  /** Runs once the change is durable; it must not throw and is not awaited. */
  afterCommit(effect: () => void): void;
}

/** One kind of work that costs less for many units together than for each alone. */
export interface Gathering<T> {
  apply(uow: UnitOfWork, items: readonly T[]): Promise<void>;
  /** Applied once the changed rows are recorded, together with what recording left. It changes no row that is recorded. */
  readonly afterRecord?: boolean;
}

export interface Health {
  readonly status: 'pass' | 'fail';
  readonly engine: Engine;
  /** The engine's own version, e.g. `3.53.0`. */
  readonly version: string;
  readonly message?: string;
}

/**
 * Where deleted bytes are left. `wal`: somebody reads the data file, so that its write-ahead log cannot be emptied.
 * `file`: the file could not be rewritten. `dead_rows`: a transaction of PostgreSQL is open that may still read them.
 */
export type Leftover = 'wal' | 'file' | 'dead_rows';

export interface Compaction {
  /** Empty when nothing deleted is left in the store. */
  readonly remains: readonly Leftover[];
}

export interface WriteOptions {
  /**
   * `soon` resolves when the change is committed and lets the disk follow within milliseconds: it survives the end of the
   * process at once, and a power failure a moment later. A read of this process waits for the disk all the same.
   * PostgreSQL's commit is always on the disk. `now` by default.
   */
  readonly flush?: 'now' | 'soon';
  /**
   * On PostgreSQL, not in a transaction with others' units: for work in the background, which may wait for the same work of
   * another process, and must not keep those waiting who are waited for. SQLite's units are never at work at once.
   */
  readonly apart?: boolean;
}

export interface Database {
  readonly engine: Engine;
  /** Resolves once the change is durable. Rejects with the work's own error, nothing written, if it throws. */
  write<T>(work: (uow: UnitOfWork) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** A consistent view: every statement of one read sees the same state. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * One transaction during which nobody else writes: others read on, and their units fail with `storage_locked`. Unlike a
   * unit, the work runs once and may wait for anything; nothing can be left to its commit.
   */
  exclusively<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T>;
  /** Applies what is missing, in order, forward only; refuses a store written by a newer Baton. */
  migrate(migrations: readonly Migration[]): Promise<void>;
  /** From now on every commit of this handle ends with the watch recording the rows that it changed. */
  watch(watch: Watch): void;
  /** Called after commits, this process's and others'; calls may be merged, none is lost. Returns the stop. */
  onCommit(listener: () => void): () => void;
  health(): Promise<Health>;
  /** A consistent copy while writing continues. PostgreSQL refuses: back it up with its own tools. */
  backup(path: string, progress?: (done: number, total: number) => void): Promise<void>;
  /**
   * Ends an erasure: rewrites the store so that nothing deleted is left in its file. Writing waits meanwhile, reading
   * does not. Row ids of SQLite tables without an integer primary key may change. What the work of others keeps it from
   * removing is in the answer, for a later call: the deletion itself has been committed, and is no error any more.
   */
  compact(): Promise<Compaction>;
  close(): Promise<void>;
}
