import type { Reader } from '../database.ts';
import type { DatabaseOptions } from '../options.ts';
import type { ConnectionPool, Lent } from './connection-pool.ts';
import { isStalePlan, unavailable } from './postgres-error.ts';
import { PostgresReader } from './postgres-reader.ts';
import { Session } from './session.ts';

const BEGIN = 'begin isolation level repeatable read read only';

type Attempt<T> =
  | { readonly done: true; readonly result: T }
  | { readonly done: false; readonly error: unknown; readonly stale: boolean };

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
    for (;;) {
      const attempt = await this.#pool.lend(BEGIN, (client) => this.#attempt(new Session(client), work));
      if (attempt.done) return attempt.result;
      // Every connection that prepared for the old schema is given up, so this ends.
      if (!attempt.stale) throw attempt.error;
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
    const stale = isStalePlan(reader.refusal);
    return { reusable: ended && !stale, result: { done: false, error: outcome.reason, stale } };
  }
}
