import type { Reader, SqlValue } from '../database.ts';
import { Frame } from '../frame.ts';
import type { Connection } from './connection.ts';
import { isLoss, translate, unavailable } from './sqlite-error.ts';

export class SqliteReader extends Frame implements Reader {
  readonly engine = 'sqlite';
  readonly #connection: Connection;
  /** The connection is not fit for another read. */
  lost = false;

  constructor(connection: Connection) {
    super();
    this.#connection = connection;
  }

  async all<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]> {
    return this.#attempt(() => this.#connection.all<R>(sql, values));
  }

  async get<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | undefined> {
    return this.#attempt(() => this.#connection.get<R>(sql, values));
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
