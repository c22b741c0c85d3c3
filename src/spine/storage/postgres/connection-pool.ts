import pg from 'pg';
import { storageErrors } from '../errors.ts';
import { Slots } from '../slots.ts';
import { isConnectionLoss, unavailable } from './postgres-error.ts';

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
  readonly #size: number;
  readonly #slots: Slots;
  #closed = false;

  constructor(settings: pg.ClientConfig, size: number) {
    this.#size = size;
    this.#slots = new Slots(size);
    this.#pool = new pg.Pool({ ...settings, max: size });
    // An idle connection that breaks leaves the pool by itself; the next caller gets a new one.
    this.#pool.on('error', () => undefined);
  }

  /** Opens a transaction with `begin`, if given, and hands it over. */
  async lend<T>(begin: string | undefined, use: (client: pg.PoolClient) => Promise<Lent<T>>): Promise<T> {
    if (this.#closed) throw storageErrors.storage_closed();
    return this.#slots.use(async () => {
      const client = await this.#connect(begin);
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

  /** Connections that broke while they were idle show it at their next statement: the next one is tried. */
  async #connect(begin: string | undefined): Promise<pg.PoolClient> {
    for (let left = this.#size; ; left--) {
      let client: pg.PoolClient | undefined;
      try {
        client = await this.#pool.connect();
        if (client.listenerCount('error') === 0) client.on('error', () => undefined);
        if (begin !== undefined) await client.query(begin);
        return client;
      } catch (cause) {
        client?.release(true);
        if (client === undefined || left === 0 || !isConnectionLoss(cause)) throw unavailable(cause);
      }
    }
  }
}
