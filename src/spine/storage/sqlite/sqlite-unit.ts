import type { SqlValue, UnitOfWork } from '../database.ts';
import type { DatabaseOptions } from '../options.ts';
import { sqlText } from '../sql-text.ts';
import { type Gathered, UnitFrame } from '../unit-frame.ts';
import type { WatchedStatement, Watching } from '../watch.ts';
import type { Connection } from './connection.ts';
import { isLoss, translate } from './sqlite-error.ts';

/** Statements run at the call, so that a unit never leaves the microtask queue and no other unit can come between. */
export class SqliteUnit extends UnitFrame implements UnitOfWork {
  readonly engine = 'sqlite';
  readonly #connection: Connection;
  readonly #watching: Watching;
  /** What took the whole transaction away, if something did. */
  loss: { readonly cause: unknown } | undefined;

  constructor(
    connection: Connection,
    options: DatabaseOptions,
    watching: Watching,
    before?: readonly Gathered[],
  ) {
    super(options, before);
    this.#connection = connection;
    this.#watching = watching;
  }

  async all<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]> {
    const watched = this.#watching.statement(sql);
    return this.#attempt(sql, () =>
      watched === undefined
        ? this.#connection.all<R>(sql, values)
        : (this.#changeRows(watched, values) as R[]),
    );
  }

  async get<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | undefined> {
    const watched = this.#watching.statement(sql);
    return this.#attempt(sql, () =>
      watched === undefined
        ? this.#connection.get<R>(sql, values)
        : (this.#changeRows(watched, values)[0] as R | undefined),
    );
  }

  async cells(sql: string, values?: readonly SqlValue[]): Promise<SqlValue[][]> {
    return this.#attempt(sql, () => this.#connection.cells(sql, values));
  }

  async run(sql: string, values?: readonly SqlValue[]): Promise<number> {
    const watched = this.#watching.statement(sql);
    return this.#attempt(sql, () =>
      watched === undefined ? this.#connection.run(sql, values) : this.#changeRows(watched, values).length,
    );
  }

  async lock(): Promise<void> {
    this.assertFirstLock();
  }

  /** Returns what the statement itself does, a row for each that it changed. */
  #changeRows({ sql, table, gone, width }: WatchedStatement, values?: readonly SqlValue[]): object[] {
    const { rows, changed } = this.#connection.change(sql, values, width);
    for (const cells of changed) this.left({ table, cells, gone });
    return rows;
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
