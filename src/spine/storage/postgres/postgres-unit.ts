import type pg from 'pg';
import { giveTurn } from '../../../platform/turn.ts';
import type { Gathering, SqlValue, UnitOfWork } from '../database.ts';
import type { DatabaseOptions } from '../options.ts';
import type { Merging, PlainInsert } from '../plain-insert.ts';
import { type SqlText, sqlText } from '../sql-text.ts';
import { checkValues, NO_VALUES } from '../sql-values.ts';
import { type Gathered, UnitFrame } from '../unit-frame.ts';
import { inserted, type WatchedStatement, type WatchedTable, type Watching } from '../watch.ts';
import { lockSlots, MAKE_LOCKS, TAKE_LOCKS } from './lock-rows.ts';
import { translate } from './postgres-error.ts';
import type { Session } from './session.ts';
import type { Turn } from './turn.ts';

interface Changed {
  readonly rows: readonly object[];
  readonly count: number;
}

const LOCKS = /\bfor\s+update\b/i;

export interface UnitPlace {
  readonly session: Session;
  readonly options: DatabaseOptions;
  readonly watching: Watching;
  /** What the units before it in its transaction leave to the commit. */
  readonly before: readonly Gathered[];
  /** Whether others are in the transaction whom its failure must not undo. */
  readonly savepoint: boolean;
  /** Of a unit that is begun before it may run; what it sends is then for its batch to wait for. */
  readonly turn?: Turn;
}

export class PostgresUnit extends UnitFrame implements UnitOfWork {
  readonly engine = 'postgres';
  readonly #session: Session;
  readonly #watching: Watching;
  readonly #savepoint: boolean;
  readonly #turn: Turn | undefined;
  #saved = false;
  /** Statements that were sent and that nobody waits for. */
  #sent: Promise<unknown> = Promise.resolve();
  /** The server's own words for the first statement that failed. */
  refusal: unknown;

  constructor({ session, options, watching, before, savepoint, turn }: UnitPlace) {
    super(options, before);
    this.#turn = turn;
    this.#session = session;
    this.#watching = watching;
    this.#savepoint = savepoint;
  }

  async all<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]> {
    if (this.#turn?.awaited) await this.#turn.come();
    const watched = this.#watching.statement(sql);
    if (watched !== undefined) return (await this.#change(watched, values)).rows as R[];
    return (await this.#attempt(sql, values)).rows as R[];
  }

  async get<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | undefined> {
    if (this.#turn?.awaited) await this.#turn.come();
    const watched = this.#watching.statement(sql);
    if (watched !== undefined) return (await this.#change(watched, values)).rows[0] as R | undefined;
    return (await this.#attempt(sql, values)).rows[0] as R | undefined;
  }

  async cells(sql: string, values?: readonly SqlValue[]): Promise<SqlValue[][]> {
    if (this.#turn?.awaited) await this.#turn.come();
    return (await this.#attempt(sql, values, 'array')).rows;
  }

  async run(sql: string, values?: readonly SqlValue[]): Promise<number> {
    if (this.#turn?.awaited) await this.#turn.come();
    const watched = this.#watching.statement(sql);
    if (watched !== undefined) return (await this.#change(watched, values)).count;
    return (await this.#attempt(sql, values)).rowCount ?? 0;
  }

  async send(sql: string, values: readonly SqlValue[] = NO_VALUES): Promise<void> {
    if (this.#turn?.awaited) await this.#turn.come();
    const watched = this.#watching.statement(sql);
    if (watched === undefined) this.#send(sql, values);
    else if (watched.plain?.keeps(values)) {
      const { plain, table } = watched;
      if (plain.merging && this.#turn) this.#merge(plain, plain.merging, table, sql, values);
      else this.#send(plain.sql, values, (answer) => this.#inserted(plain, table, values, answer));
    } else this.#send(watched.sql, values, (answer) => this.#changed(watched, answer));
  }

  giveTurn(): Promise<void> {
    return giveTurn();
  }

  async lock(...keys: string[]): Promise<void> {
    if (this.#turn?.awaited) await this.#turn.come({ keys });
    this.assertFirstLock();
    if (this.#turn?.hold(keys)) return;
    await this.#attempt(TAKE_LOCKS, this.#makeLocks(keys));
  }

  async lockedGet<R extends object>(
    keys: readonly string[],
    sql: string,
    values: readonly SqlValue[] = NO_VALUES,
  ): Promise<R | undefined> {
    if (this.#turn?.awaited) await this.#turn.come({ keys, read: { sql, values } });
    this.assertFirstLock();
    const read = this.#turn?.takeRead(keys);
    if (read !== undefined) return this.#answered(read) as Promise<R | undefined>;
    // Nobody waits for the locks: the read is answered after them, and fails with them.
    if (!this.#turn?.hold(keys)) this.#leave(this.#session.query(TAKE_LOCKS, this.#makeLocks(keys)));
    return this.get<R>(sql, values);
  }

  #makeLocks(keys: readonly string[]): SqlValue[] {
    const slots = [lockSlots(keys)];
    this.#save();
    // Not as a change: nobody can see it, and a unit that only locks has nothing to take back.
    this.#leave(this.#session.query(MAKE_LOCKS, slots));
    return slots;
  }

  async #answered(read: Promise<object | undefined>): Promise<object | undefined> {
    try {
      return await read;
    } catch (error) {
      throw this.#refused(error);
    }
  }

  override lastLeft<T>(gathering: Gathering<T>, matches: (item: T) => boolean): T | undefined {
    this.#turn?.lookAround();
    return super.lastLeft(gathering, matches);
  }

  /** What the server has still to say of statements that nobody waited for: the unit fails with one that failed. */
  protected override async beforeEnd(): Promise<void> {
    if (this.#turn === undefined) await this.#sent;
  }

  /** Once all that it has sent is answered; what failed of it is its `refusal`. */
  get sent(): Promise<unknown> {
    return this.#sent;
  }

  /** Takes back what the unit has done, and it alone. False where only the whole transaction can be taken back. */
  async undo(): Promise<boolean> {
    await this.#sent;
    if (!this.#saved) return this.refusal === undefined && !this.changed;
    try {
      await this.#session.control('rollback to savepoint unit; release savepoint unit');
      return true;
    } catch {
      return false;
    }
  }

  /** Nothing can take the unit back by itself any more. */
  keep(): void {
    if (this.#saved) this.#session.control('release savepoint unit').catch(() => undefined);
  }

  async #change(watched: WatchedStatement, values: readonly SqlValue[] = NO_VALUES): Promise<Changed> {
    const { plain, table } = watched;
    if (plain?.keeps(values))
      return this.#inserted(plain, table, values, await this.#attempt(plain.sql, values, 'array'));
    return this.#changed(watched, await this.#attempt(watched.sql, values, 'array'));
  }

  /** Hands over the rows that the statement changed; the rows returned are those that it asks for itself. */
  #changed({ table, gone, width }: WatchedStatement, { rows, fields }: pg.QueryResult): Changed {
    for (const cells of rows as SqlValue[][]) this.left({ table, cells: cells.slice(0, width), gone });
    return { rows: ownRows(rows, fields, width), count: rows.length };
  }

  #inserted(
    plain: PlainInsert,
    table: WatchedTable,
    values: readonly SqlValue[],
    { rows, fields, rowCount }: pg.QueryResult,
  ): Changed {
    const count = rowCount ?? 0;
    for (let row = 0; row < count; row += 1)
      this.left(inserted(table, plain.cellsOf(values, row, rows[row] ?? NO_VALUES)));
    return { rows: ownRows(rows, fields, plain.filled), count };
  }

  async #attempt(sql: string, values?: readonly SqlValue[], rowMode?: 'array'): Promise<pg.QueryResult> {
    const answer = this.#begin(sql, values, rowMode);
    try {
      return await answer;
    } catch (error) {
      throw this.#refused(error);
    }
  }

  /** Sends a statement that nobody waits for before the unit ends. */
  #send(sql: string, values: readonly SqlValue[], then?: (answer: pg.QueryResult) => void): void {
    this.#leave(this.#begin(sql, values, 'array').then(then));
  }

  /** The same insert of units that run one after another goes to the server once. */
  #merge(
    plain: PlainInsert,
    merging: Merging,
    table: WatchedTable,
    sql: string,
    values: readonly SqlValue[],
  ): void {
    this.#check(sql, values);
    const filled = this.#session.insert(merging, values);
    this.#leave(filled.then((cells) => this.left(inserted(table, plain.cellsOf(values, 0, cells)))));
  }

  #leave(answer: Promise<unknown>): void {
    const told = answer.catch((error) => void this.#refused(error));
    this.#sent = this.#sent.then(() => told);
  }

  #begin(sql: string, values: readonly SqlValue[] = NO_VALUES, rowMode?: 'array'): Promise<pg.QueryResult> {
    const text = this.#check(sql, values);
    if (text.verb !== 'select' || LOCKS.test(sql)) this.#save();
    return this.#session.query(sql, values, rowMode);
  }

  #check(sql: string, values: readonly SqlValue[]): SqlText {
    const text = sqlText(sql);
    this.admit(text);
    try {
      checkValues(text, values);
    } catch (error) {
      this.fail(error);
      throw error;
    }
    return text;
  }

  /** Before the first statement that fails because of others, or leaves something to take back. */
  #save(): void {
    if (!this.#savepoint || this.#saved) return;
    this.#saved = true;
    this.#session.control('savepoint unit').catch(() => undefined);
  }

  /** The first statement that the server refused tells what happened: those sent after it only hear that it did. */
  #refused(error: unknown): unknown {
    this.refusal ??= error;
    this.fail(translate(error));
    return this.failure?.error;
  }
}

/** The cells that the statement asks for itself, as rows. */
function ownRows(
  rows: readonly SqlValue[][],
  fields: readonly { readonly name: string }[],
  width: number,
): object[] {
  const own = fields.slice(width).map(({ name }) => name);
  if (own.length === 0) return [];
  return rows.map((cells) => Object.fromEntries(own.map((name, at) => [name, cells[width + at]])));
}
