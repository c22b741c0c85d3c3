import pg from 'pg';
import { storageErrors } from '../errors.ts';
import { Slots } from '../slots.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { FreshPlans } from './fresh-plans.ts';
import { isConnectionLoss, unavailable } from './postgres-error.ts';
import { withoutPreparing } from './session.ts';
import { breakOff } from './silence.ts';

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
  readonly #settings: ConnectionSettings;
  readonly #slots: Slots;
  readonly #connected = new Set<pg.ClientBase>();
  readonly #plans = new FreshPlans();
  #closed = false;

  constructor(settings: ConnectionSettings, size: number) {
    this.#size = size;
    this.#settings = settings;
    this.#slots = new Slots(size);
    this.#pool = new pg.Pool({ ...settings.client, max: size, Client: clientOf(settings) });
    // An idle connection that breaks leaves the pool by itself; the next caller gets a new one.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => this.#connected.add(client));
    this.#pool.on('remove', (client) => this.#connected.delete(client));
  }

  /** Gives all connections up, also those at work: what they did runs again, or is unknown if it was committing. */
  breakOff(): void {
    for (const client of this.#connected) breakOff(client);
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
    const { hosts, eachTransaction } = this.#settings;
    let elsewhere = hosts.count - 1;
    for (let left = this.#size; ; left--) {
      let client: pg.PoolClient | undefined;
      const address = hosts.current;
      try {
        client = await this.#pool.connect();
        if (client.listenerCount('error') === 0) client.on('error', () => undefined);
        if (hosts.count > 1) await requirePrimary(client);
        if (eachTransaction !== undefined) withoutPreparing(client);
        else this.#plans.renew(client);
        if (begin !== undefined) await client.query(eachTransaction ? `${begin}; ${eachTransaction}` : begin);
        return client;
      } catch (cause) {
        client?.release(true);
        const lost = isConnectionLoss(cause);
        if (lost && elsewhere > 0 && (client === undefined || cause instanceof OnlyReads)) {
          elsewhere -= 1;
          hosts.turnFrom(address);
          continue;
        }
        if (client === undefined || left === 0 || !lost) throw unavailable(cause);
      }
    }
  }
}

/** New connections go to the server that is thought to take writes just then. */
function clientOf(settings: ConnectionSettings) {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super({ ...(config as pg.ClientConfig), connectionString: settings.hosts.current });
    }
  };
}

class OnlyReads extends Error {}

async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: number }>('select pg_is_in_recovery() as standby');
  if (rows[0]?.standby === 1) throw new OnlyReads('The server is a standby.');
}
