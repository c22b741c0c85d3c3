import type { Reader } from '../database.ts';
import type { DatabaseOptions } from '../options.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { unavailable } from './postgres-error.ts';
import { PostgresReader } from './postgres-unit.ts';
import { Session } from './session.ts';

export class PostgresReads {
  readonly #pool: ConnectionPool;
  readonly #options: DatabaseOptions;

  constructor(pool: ConnectionPool, options: DatabaseOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const answer = await this.#pool.lend(async (client) => {
      const session = new Session(client);
      await this.#begin(session);
      const reader = new PostgresReader(session);
      const [outcome] = await Promise.allSettled([work(reader)]);
      reader.end();
      return { reusable: await session.rollBack(), result: outcome };
    });
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  }

  async #begin(session: Session): Promise<void> {
    try {
      this.#options.faults?.('read.begin');
      await session.control('begin isolation level repeatable read read only');
    } catch (cause) {
      throw unavailable(cause);
    }
  }
}
