import { createHash } from 'node:crypto';
import type { SqlValue, UnitOfWork } from '../database.ts';
import type { DatabaseOptions } from '../options.ts';
import { sqlText } from '../sql-text.ts';
import { checkValues, NO_VALUES } from '../sql-values.ts';
import { applyGathered, UnitFrame } from '../unit-frame.ts';
import type { WatchedStatement, Watching } from '../watch.ts';
import { translate } from './postgres-error.ts';
import type { Session } from './session.ts';

export class PostgresUnit extends UnitFrame implements UnitOfWork {
  readonly engine = 'postgres';
  readonly #session: Session;
  readonly #schema: string | undefined;
  readonly #watching: Watching;
  /** The server's own words for the first statement that failed. */
  refusal: unknown;

  constructor(session: Session, schema: string | undefined, options: DatabaseOptions, watching: Watching) {
    super(options);
    this.#session = session;
    this.#schema = schema;
    this.#watching = watching;
  }

  async all<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]> {
    const watched = this.#watching.statement(sql);
    if (watched !== undefined) return (await this.#changeRows(watched, values)) as R[];
    return (await this.#attempt(sql, values)).rows as R[];
  }

  async get<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | undefined> {
    const watched = this.#watching.statement(sql);
    if (watched !== undefined) return (await this.#changeRows(watched, values))[0] as R | undefined;
    return (await this.#attempt(sql, values)).rows[0] as R | undefined;
  }

  async cells(sql: string, values?: readonly SqlValue[]): Promise<SqlValue[][]> {
    return (await this.#attempt(sql, values, 'array')).rows;
  }

  async run(sql: string, values?: readonly SqlValue[]): Promise<number> {
    const watched = this.#watching.statement(sql);
    if (watched !== undefined) return (await this.#changeRows(watched, values)).length;
    return (await this.#attempt(sql, values)).rowCount ?? 0;
  }

  async lock(...keys: string[]): Promise<void> {
    this.assertFirstLock();
    const list = `{${lockKeys(this.#schema, keys).join(',')}}`;
    await this.#attempt('select pg_advisory_xact_lock(key) from unnest(cast(? as bigint[])) as keys(key)', [
      list,
    ]);
  }

  /** A commit has one unit here. */
  protected override beforeEnd(): Promise<void> {
    return applyGathered(this, [this.gathered], this.#watching.watch);
  }

  /** Returns what the statement itself does, a row for each that it changed. */
  async #changeRows(
    { sql, table, gone, width }: WatchedStatement,
    values?: readonly SqlValue[],
  ): Promise<object[]> {
    const { rows, fields } = await this.#attempt(sql, values, 'array');
    const own = fields.slice(width).map(({ name }) => name);
    return rows.map((cells: SqlValue[]) => {
      this.left({ table, cells: own.length === 0 ? cells : cells.slice(0, width), gone });
      return Object.fromEntries(own.map((name, at) => [name, cells[width + at]]));
    });
  }

  async #attempt(sql: string, values: readonly SqlValue[] = NO_VALUES, rowMode?: 'array') {
    const text = sqlText(sql);
    this.admit(text);
    try {
      checkValues(text, values);
    } catch (error) {
      this.fail(error);
      throw error;
    }
    try {
      return await this.#session.query(sql, values, rowMode);
    } catch (error) {
      this.refusal ??= error;
      const meaning = translate(error);
      this.fail(meaning);
      throw meaning;
    }
  }
}

/** Advisory locks are shared by the whole database, so the schema is part of the key. Sorted in locking order. */
function lockKeys(schema: string | undefined, keys: readonly string[]): string[] {
  const numbers = new Set(keys.map((key) => lockNumber(`${schema ?? ''}\u0000${key}`)));
  return [...numbers].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String);
}

function lockNumber(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigInt64BE(0);
}
