import { giveTurn, turnIsLong } from '../../../platform/turn.ts';
import type { Reader, SqlValue } from '../database.ts';
import { storageErrors } from '../errors.ts';
import { Frame } from '../frame.ts';
import { type DatabaseOptions, lockWait } from '../options.ts';
import { pauseBriefly, Slots } from '../slots.ts';
import { Connection } from './connection.ts';
import { requireDataFile } from './data-file.ts';
import { isBusy, isLoss, translate, unavailable } from './sqlite-error.ts';
import type { Writer } from './writer.ts';

const MOST = 32;
/** Each keeps up to 2 MB of pages. Seldom are more in use at once. */
const MOST_IDLE = 8;
/**
 * More than that stay open while they are used now and then. For speed: to open one and read the schema of a whole store
 * costs as much as a hundred reads, and sixteen callers at a time would open eight anew with each round of requests.
 */
const LOOK_AGAIN_MS = 5_000;

/** Read-only connections: each read has one for itself, inside a transaction that fixes what it sees. */
export class Readers {
  readonly #path: string;
  readonly #options: DatabaseOptions;
  readonly #writer: Pick<Writer, 'durable'>;
  readonly #idle: Connection[] = [];
  readonly #slots = new Slots(MOST);
  /** So many were idle all the time since somebody last looked. */
  #unused = 0;
  #looking: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(path: string, writer: Pick<Writer, 'durable'>, options: DatabaseOptions) {
    this.#path = path;
    this.#writer = writer;
    this.#options = options;
  }

  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    if (this.#closed) throw storageErrors.storage_closed();
    return this.#slots.use(async () => {
      const connection = await this.#begin();
      const reader = new SqliteReader(connection);
      try {
        // What is shown to somebody must not be lost afterwards.
        await this.#writer.durable?.catch(() => undefined);
        return await work(reader);
      } finally {
        reader.end();
        this.#finish(connection, reader.lost);
      }
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#slots.idle();
    clearTimeout(this.#looking);
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  /** A reader waits only while another process recovers or removes the WAL. */
  async #begin(): Promise<Connection> {
    const deadline = performance.now() + lockWait(this.#options);
    for (;;) {
      let connection = this.#idle.pop();
      this.#unused = Math.min(this.#unused, this.#idle.length);
      try {
        this.#options.faults?.('read.begin');
        connection ??= this.#open();
        connection.run('begin');
        // Fixes the view here, where waiting is possible, and not in the work's first statement.
        connection.get('select 1 from sqlite_schema limit 1');
        return connection;
      } catch (error) {
        connection?.discard();
        if (!isBusy(error)) throw unavailable(error);
        if (performance.now() > deadline) throw storageErrors.storage_locked({ cause: error });
      }
      await pauseBriefly();
    }
  }

  #open(): Connection {
    requireDataFile(this.#path);
    return Connection.openReader(this.#path, this.#options.inexactIntegers);
  }

  #finish(connection: Connection, lost: boolean): void {
    try {
      connection.run('rollback');
    } catch {
      lost = true;
    }
    if (lost) {
      connection.discard();
      return;
    }
    this.#idle.push(connection);
    if (this.#idle.length > MOST_IDLE)
      this.#looking ??= setTimeout(() => this.#look(), LOOK_AGAIN_MS).unref();
  }

  /** Closes what nobody needed lately, of those that are more than are always kept. */
  #look(): void {
    this.#looking = undefined;
    const spare = Math.min(this.#unused, this.#idle.length - MOST_IDLE);
    for (const connection of this.#idle.splice(0, Math.max(spare, 0))) connection.close();
    this.#unused = this.#idle.length;
    if (this.#idle.length > MOST_IDLE) this.#looking = setTimeout(() => this.#look(), LOOK_AGAIN_MS).unref();
  }
}

/** Each statement first gives others a turn of the event loop, if this one has lasted long. */
class SqliteReader extends Frame implements Reader {
  readonly engine = 'sqlite';
  readonly #connection: Connection;
  /** The connection is not fit for another read. */
  lost = false;

  constructor(connection: Connection) {
    super();
    this.#connection = connection;
  }

  giveTurn(): Promise<void> {
    return giveTurn();
  }

  async all<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]> {
    if (turnIsLong()) await giveTurn();
    return this.#attempt(() => this.#connection.all<R>(sql, values));
  }

  async get<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | undefined> {
    if (turnIsLong()) await giveTurn();
    return this.#attempt(() => this.#connection.get<R>(sql, values));
  }

  async cells(sql: string, values?: readonly SqlValue[]): Promise<SqlValue[][]> {
    if (turnIsLong()) await giveTurn();
    return this.#attempt(() => this.#connection.cells(sql, values));
  }

  #attempt<T>(statement: () => T): T {
    this.assertOpen();
    try {
      return statement();
    } catch (error) {
      this.lost ||= isLoss(error);
      const meaning = isLoss(error) ? unavailable(error) : translate(error);
      this.fail(meaning);
      throw meaning;
    }
  }
}
