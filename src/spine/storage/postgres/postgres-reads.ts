import { giveTurn } from '../../../platform/turn.ts';
import type { Reader, SqlValue } from '../database.ts';
import { Frame } from '../frame.ts';
import type { DatabaseOptions } from '../options.ts';
import { sqlText } from '../sql-text.ts';
import { checkValues, NO_VALUES } from '../sql-values.ts';
import type { ConnectionPool, Lent } from './connection-pool.ts';
import { isConnectionLoss, isStalePlan, translate, unavailable } from './postgres-error.ts';
import { Session } from './session.ts';

const BEGIN = 'begin isolation level repeatable read read only';

/** How often a read begins anew because its connection broke: its server has stopped, or another one has taken over. */
const RERUNS = 3;

type Attempt<T> =
  | { readonly done: true; readonly result: T }
  | { readonly done: false; readonly error: unknown; readonly why: 'stale' | 'lost' | undefined };

export class PostgresReads {
  readonly #pool: ConnectionPool;
  readonly #options: DatabaseOptions;

  constructor(pool: ConnectionPool, options: DatabaseOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    try {
      this.#options.faults?.('read.begin');
    } catch (cause) {
      throw unavailable(cause);
    }
    for (let losses = 0; ; ) {
      const attempt = await this.#pool.lend(BEGIN, (client) => this.#attempt(new Session(client), work));
      if (attempt.done) return attempt.result;
      // Every connection that prepared for the old schema is given up, so this ends.
      if (attempt.why === 'stale') continue;
      if (attempt.why === undefined || losses === RERUNS) throw attempt.error;
      losses += 1;
    }
  }

  async #attempt<T>(session: Session, work: (reader: Reader) => Promise<T>): Promise<Lent<Attempt<T>>> {
    const reader = new PostgresReader(session);
    const [outcome] = await Promise.allSettled([work(reader)]);
    reader.end();
    const ended = await session.rollBack();
    if (outcome.status === 'fulfilled') {
      return { reusable: ended, result: { done: true, result: outcome.value } };
    }
    const { refusal } = reader;
    const lost = refusal !== undefined && isConnectionLoss(refusal);
    const why = isStalePlan(refusal) ? 'stale' : lost ? 'lost' : undefined;
    return { reusable: ended && why === undefined, result: { done: false, error: outcome.reason, why } };
  }
}

class PostgresReader extends Frame implements Reader {
  readonly engine = 'postgres';
  readonly #session: Session;
  /** The server's own words for the first statement that failed. */
  refusal: unknown;

  constructor(session: Session) {
    super();
    this.#session = session;
  }

  async all<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]> {
    return (await this.#attempt(sql, values)).rows as R[];
  }

  async get<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | undefined> {
    return (await this.#attempt(sql, values)).rows[0] as R | undefined;
  }

  giveTurn(): Promise<void> {
    return giveTurn();
  }

  async cells(sql: string, values?: readonly SqlValue[]): Promise<SqlValue[][]> {
    return (await this.#attempt(sql, values, 'array')).rows;
  }

  async #attempt(sql: string, values: readonly SqlValue[] = NO_VALUES, rowMode?: 'array') {
    this.assertOpen();
    try {
      checkValues(sqlText(sql), values);
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
