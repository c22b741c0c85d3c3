import { CommitListeners } from '../commit-listeners.ts';
import type { Compaction, Database, Health, Reader, UnitOfWork, WriteOptions } from '../database.ts';
import { storageErrors } from '../errors.ts';
import { migrate } from '../migrate.ts';
import type { Migration } from '../migration.ts';
import { type DatabaseOptions, lockWait } from '../options.ts';
import { type Watch, Watching } from '../watch.ts';
import { CommitChannel } from './commit-channel.ts';
import { compact } from './compact.ts';
import { ConnectionPool } from './connection-pool.ts';
import { type ConnectionSettings, readSettings } from './connection-settings.ts';
import { exclusively } from './exclusive.ts';
import { translate } from './postgres-error.ts';
import { PostgresReads } from './postgres-reads.ts';
import { PostgresWrites } from './postgres-writes.ts';
import { prepareServer } from './prepare-server.ts';

/** Of a process on PostgreSQL, besides one for health and one that hears of other processes' commits. */
const READ_CONNECTIONS = 6;
/** One: several would wait for each other wherever their units write to the same session or search the same words. */
const LANES = 1;
const ALONE_CONNECTIONS = 3;

export async function openPostgres(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const { settings, version } = await prepareServer(readSettings(url, options), options);
  return new PostgresDatabase(settings, version, options);
}

class PostgresDatabase implements Database {
  readonly engine = 'postgres';
  readonly #version: string;
  readonly #readPool: ConnectionPool;
  readonly #lanePool: ConnectionPool;
  readonly #alonePool: ConnectionPool;
  readonly #asidePool: ConnectionPool;
  readonly #listeners: CommitListeners;
  readonly #watching = new Watching();
  readonly #channel: CommitChannel;
  readonly #writes: PostgresWrites;
  readonly #reads: PostgresReads;
  readonly #options: DatabaseOptions;
  #closing: Promise<void> | undefined;

  constructor(settings: ConnectionSettings, version: string, options: DatabaseOptions) {
    this.#version = version;
    this.#options = options;
    const lanes = options.lanes ?? LANES;
    this.#readPool = new ConnectionPool(settings, options.poolSize ?? READ_CONNECTIONS);
    this.#lanePool = new ConnectionPool(settings, lanes);
    this.#alonePool = new ConnectionPool(settings, ALONE_CONNECTIONS);
    this.#asidePool = new ConnectionPool(settings, 1);
    this.#listeners = new CommitListeners(options);
    this.#channel = new CommitChannel(
      settings,
      (statement) => this.#aside(statement),
      () => this.#listeners.notify(),
      () => {
        for (const pool of this.#pools()) pool.breakOff();
      },
    );
    const pools = { lanes: this.#lanePool, alone: this.#alonePool };
    this.#writes = new PostgresWrites(pools, lanes, options, this.#watching, () => {
      this.#channel.announce();
      this.#listeners.notify();
    });
    this.#reads = new PostgresReads(this.#readPool, options);
  }

  write<T>(work: (uow: UnitOfWork) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#writes.write(work, options);
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#reads.read(work);
  }

  exclusively<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
    return exclusively(this.#alonePool, this.#options, work);
  }

  migrate(migrations: readonly Migration[]): Promise<void> {
    return migrate(this, migrations);
  }

  watch(watch: Watch): void {
    this.#watching.set(watch);
  }

  onCommit(listener: () => void): () => void {
    const remove = this.#listeners.add(listener);
    this.#channel.start();
    return () => {
      remove();
      if (this.#listeners.count === 0) void this.#channel.stop();
    };
  }

  async health(): Promise<Health> {
    const about = { engine: this.engine, version: this.#version } as const;
    try {
      await this.#aside('select 1');
      return { status: 'pass', ...about };
    } catch (error) {
      return { status: 'fail', ...about, message: error instanceof Error ? error.message : String(error) };
    }
  }

  async backup(): Promise<void> {
    throw storageErrors.backup_refused({
      message: 'A PostgreSQL store is backed up by its own tools.',
      next: 'Run pg_dump, or set up continuous archiving on the server.',
    });
  }

  compact(): Promise<Compaction> {
    return this.#alonePool.lend(undefined, async (client) => {
      try {
        return { reusable: true, result: await compact(client, lockWait(this.#options)) };
      } catch (error) {
        throw translate(error);
      }
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** On a connection of its own: whether the server answers, and hints to others, wait for nobody's work. */
  #aside(statement: string): Promise<void> {
    return this.#asidePool.lend(statement, async () => ({ reusable: true, result: undefined }));
  }

  async #close(): Promise<void> {
    await Promise.all([this.#channel.stop(), this.#writes.close()]);
    await Promise.all(this.#pools().map((pool) => pool.close()));
  }

  #pools(): ConnectionPool[] {
    return [this.#readPool, this.#lanePool, this.#alonePool, this.#asidePool];
  }
}
