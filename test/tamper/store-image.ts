/** A store that is made once and copied for each way of changing it behind Baton's back: quicker than making it again. */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import type { OpenForTest } from '../../src/spine/storage/testing.ts';

export interface StoreImage {
  /** One at a time: on PostgreSQL, removing it puts back what was changed. */
  copy(): Promise<StoreCopy>;
  remove(): Promise<void>;
}

export interface StoreCopy {
  readonly url: string;
  /** As whoever owns the database file or server: no constraint that can be switched off holds him up. */
  change(statements: readonly string[]): Promise<void>;
  rows(sql: string): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
}

/** `build` makes the store at the address and closes it again. */
export async function imageOf(open: OpenForTest, build: (url: string) => Promise<void>): Promise<StoreImage> {
  return open.engine === 'sqlite' ? sqliteImage(build) : postgresImage(open, build);
}

async function sqliteImage(build: (url: string) => Promise<void>): Promise<StoreImage> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-image-'));
  const image = join(folder, 'image.db');
  await build(`sqlite:${image}`);
  // Whatever is still in the write-ahead log moves into the file.
  withSqlite(image, (db) => db.exec('pragma wal_checkpoint(truncate)'));
  return {
    async copy() {
      const path = join(folder, `${randomBytes(8).toString('hex')}.db`);
      await copyFile(image, path);
      return {
        url: `sqlite:${path}`,
        change: async (statements) => withSqlite(path, (db) => changeSqlite(db, statements)),
        rows: async (sql) => withSqlite(path, (db) => db.prepare(sql).all() as Record<string, unknown>[]),
        remove: () => rm(path, { force: true }),
      };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

type Sqlite = InstanceType<typeof DatabaseSync>;

function withSqlite<T>(path: string, work: (db: Sqlite) => T): T {
  const db = new DatabaseSync(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

function changeSqlite(db: Sqlite, statements: readonly string[]): void {
  // Nor does what the library keeps safe by default.
  db.enableDefensive(false);
  db.exec('pragma foreign_keys = off; pragma ignore_check_constraints = on');
  for (const statement of statements) db.exec(statement);
}

/** Copying a database takes longer than all that is done with it, so there is one, and what was changed is put back. */
async function postgresImage(open: OpenForTest, build: (url: string) => Promise<void>): Promise<StoreImage> {
  const server = new URL(open.urlOf(await open([])));
  server.searchParams.delete('schema');
  const name = `image_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await query(server.href, [`create database ${name}`]);
  await build(url.href);
  const tables = (await query(url.href, [TABLES_HERE])).map((row) => String(row.name));
  await query(url.href, [
    ...UNCHECKED,
    'create schema image',
    ...tables.map((table) => `create table image.${table} as table ${table}`),
  ]);
  const copyOf = (): StoreCopy => {
    const changed = new Set<string>();
    return {
      url: url.href,
      change: async (statements) => {
        for (const statement of statements) changed.add(tableOf(statement));
        await query(url.href, [AS_REPLICA, ...statements]);
      },
      rows: (sql) => query(url.href, [sql]),
      remove: async () => {
        const restore = [...changed].flatMap((table) => [
          `delete from ${table}`,
          `insert into ${table} select * from image.${table}`,
        ]);
        await query(url.href, [AS_REPLICA, 'begin', ...restore, 'commit']);
      },
    };
  };
  return {
    copy: async () => copyOf(),
    remove: async () => {
      await query(server.href, [`drop database if exists ${name} with (force)`]);
    },
  };
}

const TABLES_HERE = `select table_name as name from information_schema.tables
  where table_schema = current_schema() and table_type = 'BASE TABLE'`;

function tableOf(statement: string): string {
  const found = /^\s*(?:update|delete from|insert into)\s+(\w+)/i.exec(statement)?.[1];
  if (!found) throw new Error(`not a change of one table: ${statement}`);
  return found;
}

/** Foreign keys are triggers, which a replica does not run. */
const AS_REPLICA = "set session_replication_role = 'replica'";
/** Checks have no switch: whoever owns the server drops them. */
const UNCHECKED = [
  `do $$ declare one record; begin
     for one in select conrelid::regclass as of_table, conname from pg_constraint
       where contype = 'c' and connamespace = current_schema()::regnamespace
     loop execute format('alter table %s drop constraint %I', one.of_table, one.conname); end loop;
   end $$`,
];

async function query(url: string, statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
