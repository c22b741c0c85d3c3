/** For tests of every room that stores: the same suite on each engine, each store fresh and gone afterwards. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe } from 'vitest';
import type { Database, Engine, UnitOfWork } from './database.ts';
import type { Migration } from './migration.ts';
import { openDatabase } from './open.ts';
import type { DatabaseOptions } from './options.ts';

export interface TestOpenOptions extends DatabaseOptions {
  /** Opens a second handle on the store of this one. */
  readonly beside?: Database;
}

export interface OpenForTest {
  /** A store of its own with these migrations applied. It is closed and removed after the test (or suite) that opened it. */
  (migrations: readonly Migration[], options?: TestOpenOptions): Promise<Database>;
  readonly engine: Engine;
  /** For a child process that opens the same store. */
  urlOf(db: Database): string;
}

type EngineUnderTest = { readonly url: string } | { readonly reason: string };

const postgres = await findPostgres();

export function describeOnEachEngine(name: string, suite: (open: OpenForTest) => void): void {
  describe(`${name} (sqlite)`, () => suite(openerFor('sqlite', newSqliteStore)));
  describeOnPostgres(`${name} (postgres)`, suite);
}

/** For what only PostgreSQL does. */
export function describeOnPostgres(name: string, suite: (open: OpenForTest) => void): void {
  if ('reason' in postgres) {
    const required = (process.env.BATON_TEST_REQUIRE ?? '').split(',').includes('postgres');
    if (required) throw new Error(`PostgreSQL is required but missing: ${postgres.reason}`);
    console.warn(`skipped: ${name}: ${postgres.reason}`);
    describe.skip(name, () => suite(openerFor('postgres', () => Promise.reject(new Error('missing')))));
    return;
  }
  const { url } = postgres;
  describe(name, () => suite(openerFor('postgres', () => newPostgresStore(url))));
}

/** For what only SQLite does. */
export function describeOnSqlite(name: string, suite: (open: OpenForTest) => void): void {
  describe(name, () => suite(openerFor('sqlite', newSqliteStore)));
}

interface Store {
  readonly url: string;
  remove(): Promise<void>;
}

interface Opened {
  readonly db: Database;
  readonly store: Store | undefined;
}

function openerFor(engine: Engine, create: () => Promise<Store>): OpenForTest {
  const bySuite: Opened[] = [];
  const byTest: Opened[] = [];
  const urls = new WeakMap<Database, string>();
  let inTest = false;
  beforeEach(() => {
    inTest = true;
  });
  afterEach(async () => {
    inTest = false;
    await closeAll(byTest);
  });
  afterAll(() => closeAll(bySuite));

  const open = async (migrations: readonly Migration[], { beside, ...options }: TestOpenOptions = {}) => {
    const store = beside === undefined ? await create() : undefined;
    const url = store?.url ?? (beside && urls.get(beside));
    if (url === undefined) throw new Error('The store beside which to open was not opened here.');
    const db = await openDatabase(url, { strictUnits: true, ...options });
    (inTest ? byTest : bySuite).push({ db, store });
    urls.set(db, url);
    await db.migrate(migrations);
    return db;
  };
  const urlOf = (db: Database) => urls.get(db) ?? '';
  return Object.assign(open, { engine, urlOf });
}

async function closeAll(opened: Opened[]): Promise<void> {
  const all = opened.splice(0);
  await Promise.all(all.map(({ db }) => db.close()));
  await Promise.all(all.map(({ store }) => store?.remove()));
}

async function newSqliteStore(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-store-'));
  return {
    url: `sqlite:${join(folder, 'baton.db')}`,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function newPostgresStore(server: string): Promise<Store> {
  const schema = `t_${randomBytes(8).toString('hex')}`;
  const url = new URL(server);
  url.searchParams.set('schema', schema);
  return { url: url.href, remove: () => dropSchema(server, schema) };
}

async function dropSchema(server: string, schema: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query('set client_min_messages = warning');
    await client.query(`drop schema if exists ${schema} cascade`);
  } finally {
    await client.end();
  }
}

/** `TEST_DATABASE_URL`, or the server that the run's global setup starts on first use. */
async function findPostgres(): Promise<EngineUnderTest> {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL };
  const desk = process.env.BATON_TEST_POSTGRES;
  if (desk === undefined)
    return { reason: 'neither TEST_DATABASE_URL nor the global setup of the tests gave a server' };
  const answer = await fetch(desk);
  return (await answer.json()) as EngineUnderTest;
}

/** The table that the suites of this folder write to. */
export const NOTES: readonly Migration[] = [
  {
    name: 'test/0001-notes',
    statements: (ddl) => [
      `create table notes (id ${ddl.text} primary key, n ${ddl.int} not null) ${ddl.end}`,
      `create table counters (name ${ddl.text} primary key, value ${ddl.int} not null) ${ddl.end}`,
    ],
  },
];

export const insertNote = (uow: UnitOfWork, id: string, n = 0) =>
  uow.run('insert into notes (id, n) values (?, ?)', [id, n]);

export const noteIds = async (db: Database) =>
  (await db.read((reader) => reader.all<{ id: string }>('select id from notes order by id'))).map(
    ({ id }) => id,
  );
