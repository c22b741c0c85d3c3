import { CommitListeners } from '../commit-listeners.ts';
import type { Compaction, Database, Health, Reader, UnitOfWork, WriteOptions } from '../database.ts';
import { storageErrors } from '../errors.ts';
import { migrate } from '../migrate.ts';
import type { Migration } from '../migration.ts';
import type { DatabaseOptions } from '../options.ts';
import { type Watch, Watching } from '../watch.ts';
import { backupTo } from './backup.ts';
import { compact } from './compact.ts';
import { Connection } from './connection.ts';
import { createDataFile } from './data-file.ts';
import { exclusively } from './exclusive.ts';
import { ForeignCommits } from './foreign-commits.ts';
import { Readers } from './readers.ts';
import { isAlien, isBusy, isLoss, unavailable } from './sqlite-error.ts';
import { whileBusy } from './while-busy.ts';
import { Writer } from './writer.ts';

export async function openSqlite(path: string, options: DatabaseOptions = {}): Promise<Database> {
  createDataFile(path);
  return new SqliteDatabase(path, await openPatiently(path, options), options);
}

/** Another process may be switching the same new file to a WAL, or recovering it. */
async function openPatiently(path: string, options: DatabaseOptions): Promise<Connection> {
  return whileBusy(options, () => {
    try {
      return Connection.openWriter(path);
    } catch (error) {
      if (isAlien(error)) throw notOurs(path, error);
      throw !isBusy(error) && isLoss(error) ? unavailable(error) : error;
    }
  });
}

function notOurs(path: string, cause: unknown): Error {
  return storageErrors.storage_unsupported({
    message: `${path} is not a SQLite file.`,
    next: 'Name the data file of Baton, or a file that does not exist yet.',
    cause,
  });
}

class SqliteDatabase implements Database {
  readonly engine = 'sqlite';
  readonly #path: string;
  readonly #version: string;
  readonly #options: DatabaseOptions;
  readonly #listeners: CommitListeners;
  readonly #watching = new Watching();
  readonly #writer: Writer;
  readonly #readers: Readers;
  readonly #foreign: ForeignCommits;
  #closing: Promise<void> | undefined;

  constructor(path: string, connection: Connection, options: DatabaseOptions) {
    this.#path = path;
    this.#options = options;
    this.#version = connection.version();
    this.#listeners = new CommitListeners(options);
    this.#writer = new Writer(path, connection, options, this.#watching, () => this.#listeners.notify());
    this.#readers = new Readers(path, this.#writer, options);
    this.#foreign = new ForeignCommits(this.#writer, () => this.#listeners.notify());
  }

  write<T>(work: (uow: UnitOfWork) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#writer.write(work, options);
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#readers.read(work);
  }

  exclusively<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
    return exclusively(this.#path, this.#options, work);
  }

  migrate(migrations: readonly Migration[]): Promise<void> {
    return migrate(this, migrations);
  }

  watch(watch: Watch): void {
    this.#watching.set(watch);
  }

  onCommit(listener: () => void): () => void {
    const remove = this.#listeners.add(listener);
    this.#foreign.start();
    return () => {
      remove();
      if (this.#listeners.count === 0) this.#foreign.stop();
    };
  }

  async health(): Promise<Health> {
    const about = { engine: this.engine, version: this.#version } as const;
    try {
      await this.read((reader) => reader.get('select count(*) as tables from sqlite_schema'));
      if (this.#writer.lastLoss !== undefined) throw this.#writer.lastLoss;
      return { status: 'pass', ...about };
    } catch (error) {
      return { status: 'fail', ...about, message: error instanceof Error ? error.message : String(error) };
    }
  }

  backup(path: string, progress?: (done: number, total: number) => void): Promise<void> {
    return backupTo(this.#path, path, progress);
  }

  compact(): Promise<Compaction> {
    return compact(this.#path, this.#options);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#foreign.stop();
    await this.#readers.close();
    await this.#writer.close();
  }
}
