import pg from 'pg';
import { storageErrors } from '../errors.ts';
import { Slots } from '../slots.ts';
import { unavailable } from './postgres-error.ts';

/** What came of a connection, and whether it may be used again. */
export interface Lent<T> {
  readonly reusable: boolean;
  readonly result: T;
}

/**
 * Callers queue here and not in the driver's pool, whose timeout would count a busy moment as a server that is away.
 */
export class ConnectionPool {
  readonly #pool: pg.Pool;
  readonly #slots: Slots;
  #closed = false;

  constructor(settings: pg.ClientConfig, size: number) {
    this.#slots = new Slots(size);
    this.#pool = new pg.Pool({ ...settings, max: size });
    // An idle connection that breaks leaves the pool by itself; the next caller gets a new one.
    this.#pool.on('error', () => undefined);
  }

  async lend<T>(use: (client: pg.PoolClient) => Promise<Lent<T>>): Promise<T> {
    if (this.#closed) throw storageErrors.storage_closed();
    return this.#slots.use(async () => {
      const client = await this.#connect();
      let reusable = false;
      try {
        const outcome = await use(client);
        reusable = outcome.reusable;
        return outcome.result;
      } finally {
        client.release(!reusable);
      }
    });
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#slots.idle();
    await this.#pool.end();
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.#pool.connect();
      if (client.listenerCount('error') === 0) client.on('error', () => undefined);
      return client;
    } catch (cause) {
      throw unavailable(cause);
    }
  }
}
