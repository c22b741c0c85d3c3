/** For tests of every room that stores: the same suite on each engine, each store fresh and gone afterwards. */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
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
  describe(`${name} (sqlite)`, () => suite(openerFor('sqlite', sqliteStores)));
  describeOnPostgres(`${name} (postgres)`, suite);
}

/**
 * The same, and once more on a PostgreSQL whose advisory locks hold nobody back and whose notifications reach nobody, as
 * with poolers and compatible engines: nothing may rest on either.
 */
export function describeOnEachEngineEvenBare(name: string, suite: (open: OpenForTest) => void): void {
  describeOnEachEngine(name, suite);
  describeOnServer(`${name} (postgres without advisory locks and notifications)`, suite, bareStoresOn);
}

/** For what only PostgreSQL does. */
export function describeOnPostgres(name: string, suite: (open: OpenForTest) => void): void {
  describeOnServer(name, suite, storesOn);
}

function describeOnServer(
  name: string,
  suite: (open: OpenForTest) => void,
  stores: (server: string) => CreateStore,
): void {
  if ('reason' in postgres) {
    const required = (process.env.BATON_TEST_REQUIRE ?? '').split(',').includes('postgres');
    if (required) throw new Error(`PostgreSQL is required but missing: ${postgres.reason}`);
    console.warn(`skipped: ${name}: ${postgres.reason}`);
    describe.skip(name, () => suite(openerFor('postgres', () => Promise.reject(new Error('missing')))));
    return;
  }
  const { url } = postgres;
  describe(name, () => suite(openerFor('postgres', stores(url))));
}

/** For what only SQLite does. */
export function describeOnSqlite(name: string, suite: (open: OpenForTest) => void): void {
  describe(name, () => suite(openerFor('sqlite', sqliteStores)));
}

interface Store {
  readonly url: string;
  remove(): Promise<void>;
}

/** A new store, empty or with the migrations already applied. */
type CreateStore = (migrations: readonly Migration[]) => Promise<Store>;

interface Opened {
  readonly db: Database;
  readonly store: Store | undefined;
}

function openerFor(engine: Engine, create: CreateStore): OpenForTest {
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
    const store = beside === undefined ? await create(migrations) : undefined;
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

/** So many migrations that a copy of a store costs less than to apply them: a third on PostgreSQL. */
const MANY_MIGRATIONS = 8;

/** Makes the store that others are copied from once a list of migrations comes up for the second time. */
function copiedFrom<T>(make: (migrations: readonly Migration[]) => Promise<T>) {
  const known = new Map<readonly Migration[], Promise<T> | undefined>();
  return (migrations: readonly Migration[]): Promise<T> | undefined => {
    if (migrations.length < MANY_MIGRATIONS) return undefined;
    const again = known.has(migrations);
    const template = known.get(migrations) ?? (again ? make(migrations) : undefined);
    known.set(migrations, template);
    return template;
  };
}

async function migrated(url: string, migrations: readonly Migration[]): Promise<void> {
  const db = await openDatabase(url);
  try {
    await db.migrate(migrations);
  } finally {
    await db.close();
  }
}

const sqliteTemplate = copiedFrom(async (migrations) => {
  const path = join(await mkdtemp(join(tmpdir(), 'baton-template-')), 'baton.db');
  await migrated(`sqlite:${path}`, migrations);
  return path;
});

const sqliteStores: CreateStore = async (migrations) => {
  const folder = await mkdtemp(join(tmpdir(), 'baton-store-'));
  const path = join(folder, 'baton.db');
  const template = await sqliteTemplate(migrations);
  if (template !== undefined) await copyFile(template, path);
  return { url: `sqlite:${path}`, remove: () => rm(folder, { recursive: true, force: true }) };
};

function storesOn(server: string): CreateStore {
  return async (migrations) => {
    const name = `t_${randomBytes(8).toString('hex')}`;
    // A server that is not the run's own is left without databases that nobody removes.
    const template = process.env.TEST_DATABASE_URL ? undefined : await postgresTemplate(migrations);
    if (template === undefined) {
      return {
        url: addressOf(server, { schema: name }),
        remove: () => administer(server, `drop schema if exists ${name} cascade`),
      };
    }
    // Copied as files: to write every page to the log as well takes nearly twice as long.
    await administer(server, `create database ${name} template ${template} strategy file_copy`);
    return {
      url: addressOf(server, { database: name, schema: TEMPLATE_SCHEMA }),
      remove: () => administer(server, `drop database if exists ${name} with (force)`),
    };
  };
}

/** Found before the server's own functions of these names. */
const SHADOWS = `
  create schema store;
  create function store.pg_advisory_xact_lock(bigint) returns void language sql as '';
  create function store.pg_notify(text, text) returns void language sql as '';`;

function bareStoresOn(server: string): CreateStore {
  return async () => {
    const name = `bare_${randomBytes(8).toString('hex')}`;
    await administer(server, `create database ${name}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    await administer(url.href, SHADOWS);
    url.searchParams.set('options', '-c search_path=store,pg_catalog');
    return {
      url: url.href,
      remove: () => administer(server, `drop database if exists ${name} with (force)`),
    };
  };
}

const TEMPLATE_SCHEMA = 'store';

const postgresTemplate = copiedFrom(async (migrations) => {
  const server = (postgres as { readonly url: string }).url;
  const name = `template_${randomBytes(8).toString('hex')}`;
  await administer(server, `create database ${name}`);
  await migrated(addressOf(server, { database: name, schema: TEMPLATE_SCHEMA }), migrations);
  return name;
});

function addressOf(
  server: string,
  { database, schema }: { readonly database?: string; readonly schema: string },
): string {
  const url = new URL(server);
  if (database !== undefined) url.pathname = `/${database}`;
  url.searchParams.set('schema', schema);
  return url.href;
}

async function administer(server: string, sql: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query('set client_min_messages = warning');
    await client.query(sql);
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
