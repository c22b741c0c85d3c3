import { setImmediate as nextTurn } from 'node:timers/promises';
import { turnIsLong } from '../../../platform/turn.ts';
import type { SqlValue, UnitOfWork } from '../database.ts';
import type { DatabaseOptions } from '../options.ts';
import type { PlainInsert } from '../plain-insert.ts';
import { sqlText } from '../sql-text.ts';
import { NO_VALUES } from '../sql-values.ts';
import { type Gathered, UnitFrame } from '../unit-frame.ts';
import { inserted, type WatchedStatement, type WatchedTable, type Watching } from '../watch.ts';
import type { Connection } from './connection.ts';
import { isLoss, translate } from './sqlite-error.ts';

interface Changed {
  readonly rows: readonly object[];
  readonly count: number;
}

/**
 * Statements run at the call, so that a unit leaves the microtask queue only to give others a turn of the event loop, once
 * it has held it for long. No other unit comes between: the writer waits for this one.
 */
export class SqliteUnit extends UnitFrame implements UnitOfWork {
  readonly engine = 'sqlite';
  readonly #connection: Connection;
  readonly #watching: Watching;
  /** What took the whole transaction away, if something did. */
  loss: { readonly cause: unknown } | undefined;
  /** While others have their turn. */
  pausing: Promise<void> | undefined;

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
    if (turnIsLong()) await this.#pause();
    const watched = this.#watching.statement(sql);
    return this.#attempt(sql, () =>
      watched === undefined
        ? this.#connection.all<R>(sql, values)
        : (this.#change(watched, values).rows as R[]),
    );
  }

  async get<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | undefined> {
    if (turnIsLong()) await this.#pause();
    const watched = this.#watching.statement(sql);
    return this.#attempt(sql, () =>
      watched === undefined
        ? this.#connection.get<R>(sql, values)
        : (this.#change(watched, values).rows[0] as R | undefined),
    );
  }

  async cells(sql: string, values?: readonly SqlValue[]): Promise<SqlValue[][]> {
    if (turnIsLong()) await this.#pause();
    return this.#attempt(sql, () => this.#connection.cells(sql, values));
  }

  async run(sql: string, values?: readonly SqlValue[]): Promise<number> {
    if (turnIsLong()) await this.#pause();
    const watched = this.#watching.statement(sql);
    return this.#attempt(sql, () =>
      watched === undefined ? this.#connection.run(sql, values) : this.#change(watched, values).count,
    );
  }

  async send(sql: string, values?: readonly SqlValue[]): Promise<void> {
    await this.run(sql, values);
  }

  async giveTurn(): Promise<void> {
    if (turnIsLong()) await this.#pause();
  }

  async #pause(): Promise<void> {
    this.pausing ??= nextTurn().then(() => {
      this.pausing = undefined;
    });
    await this.pausing;
  }

  async lock(): Promise<void> {
    this.assertFirstLock();
  }

  async lockedGet<R extends object>(
    _keys: readonly string[],
    sql: string,
    values?: readonly SqlValue[],
  ): Promise<R | undefined> {
    await this.lock();
    return this.get<R>(sql, values);
  }

  /** Hands over the rows that the statement changes; the rows returned are those that it asks for itself. */
  #change(watched: WatchedStatement, values: readonly SqlValue[] = NO_VALUES): Changed {
    const { sql, table, gone, width, plain } = watched;
    if (plain?.keeps(values)) return this.#insert(plain, table, values);
    const { rows, changed } = this.#connection.change(sql, values, width);
    for (const cells of changed) this.left({ table, cells, gone });
    return { rows, count: changed.length };
  }

  #insert(plain: PlainInsert, table: WatchedTable, values: readonly SqlValue[]): Changed {
    if (plain.filled > 0 || plain.own) {
      const { rows, changed } = this.#connection.change(plain.sql, values, plain.filled);
      for (const cells of changed) this.left(inserted(table, plain.cellsOf(values, 0, cells)));
      return { rows, count: changed.length };
    }
    if (plain.numbered) {
      const { count, number } = this.#connection.insert(plain.sql, values);
      if (count > 0) this.left(inserted(table, plain.cellsOf(values, 0, [number])));
      return { rows: [], count };
    }
    const count = this.#connection.run(plain.sql, values);
    for (let row = 0; row < count; row += 1)
      this.left(inserted(table, plain.cellsOf(values, row, NO_VALUES)));
    return { rows: [], count };
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
