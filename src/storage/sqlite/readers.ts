import type { Reader, SqlValue } from '../database.ts';
import { storageErrors } from '../errors.ts';
import type { DatabaseOptions } from '../options.ts';
import { pauseBriefly } from '../pause.ts';
import { Connection } from './connection.ts';
import { requireDataFile } from './data-file.ts';
import { isBusy, isLoss, translate, unavailable } from './sqlite-error.ts';

const KEPT = 4;
const MOST = 64;

/** Read-only connections: each read has one for itself, inside a transaction that fixes what it sees. */
export class Readers {
  readonly #path: string;
  readonly #options: DatabaseOptions;
  readonly #idle: Connection[] = [];
  readonly #queue: (() => void)[] = [];
  #busy = 0;
  #closed = false;
  #whenIdle: (() => void) | undefined;

  constructor(path: string, options: DatabaseOptions) {
    this.#path = path;
    this.#options = options;
  }

  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    if (this.#closed) throw storageErrors.storage_closed();
    while (this.#busy >= MOST) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#busy++;
    try {
      const connection = await this.#begin();
      const reader = new SqliteReader(connection);
      try {
        return await work(reader);
      } finally {
        this.#finish(connection, reader);
      }
    } finally {
      this.#busy--;
      this.#queue.shift()?.();
      if (this.#busy === 0) this.#whenIdle?.();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#busy > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  /** A reader waits only while another process recovers or removes the WAL. */
  async #begin(): Promise<Connection> {
    const deadline = performance.now() + (this.#options.lockWaitMs ?? 5_000);
    for (;;) {
      const connection = this.#idle.pop();
      try {
        this.#options.faults?.('read.begin');
        const open = connection ?? this.#open();
        open.exec('begin');
        return open;
      } catch (error) {
        connection?.close();
        if (!isBusy(error)) throw unavailable(error);
        if (performance.now() > deadline) throw storageErrors.storage_locked({ cause: error });
      }
      await pauseBriefly();
    }
  }

  #open(): Connection {
    requireDataFile(this.#path);
    return Connection.openReader(this.#path);
  }

  #finish(connection: Connection, reader: SqliteReader): void {
    reader.end();
    try {
      connection.exec('rollback');
      if (!reader.lost && this.#idle.length < KEPT && !this.#closed) {
        this.#idle.push(connection);
        return;
      }
    } catch {
      // A connection that cannot end its transaction is not used again.
    }
    connection.close();
  }
}

class SqliteReader implements Reader {
  readonly engine = 'sqlite';
  readonly #connection: Connection;
  #ended = false;
  lost = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async all<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]> {
    return this.#attempt(() => this.#connection.all<R>(sql, values));
  }

  async get<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | undefined> {
    return this.#attempt(() => this.#connection.get<R>(sql, values));
  }

  end(): void {
    this.#ended = true;
  }

  #attempt<T>(statement: () => T): T {
    if (this.#ended) throw new Error('This read has ended; await every statement inside it.');
    try {
      return statement();
    } catch (error) {
      if (!isLoss(error)) throw translate(error);
      this.lost = true;
      throw unavailable(error);
    }
  }
}
