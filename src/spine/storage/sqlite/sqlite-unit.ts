import type { SqlValue, UnitOfWork } from '../database.ts';
import type { DatabaseOptions } from '../options.ts';
import { sqlText } from '../sql-text.ts';
import { type Gathered, UnitFrame } from '../unit-frame.ts';
import type { Connection } from './connection.ts';
import { isLoss, translate } from './sqlite-error.ts';

/** Statements run at the call, so that a unit never leaves the microtask queue and no other unit can come between. */
export class SqliteUnit extends UnitFrame implements UnitOfWork {
  readonly engine = 'sqlite';
  readonly #connection: Connection;
  /** What took the whole transaction away, if something did. */
  loss: { readonly cause: unknown } | undefined;

  constructor(connection: Connection, options: DatabaseOptions, before?: readonly Gathered[]) {
    super(options, before);
    this.#connection = connection;
  }

  async all<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]> {
    return this.#attempt(sql, () => this.#connection.all<R>(sql, values));
  }

  async get<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | undefined> {
    return this.#attempt(sql, () => this.#connection.get<R>(sql, values));
  }

  async run(sql: string, values?: readonly SqlValue[]): Promise<number> {
    return this.#attempt(sql, () => this.#connection.run(sql, values));
  }

  async lock(): Promise<void> {
    this.assertFirstLock();
  }

  #attempt<T>(sql: string, statement: () => T): T {
    this.admit(sqlText(sql));
    try {
      return statement();
    } catch (error) {
      const meaning = translate(error);
      if (isLoss(error) || !this.#connection.inTransaction) this.loss ??= { cause: error };
      this.fail(meaning);
      throw meaning;
    }
  }
}
