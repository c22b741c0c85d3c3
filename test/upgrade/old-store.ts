import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import type { OpenForTest } from '../../src/spine/storage/testing.ts';

const STORES = new URL('stores/', import.meta.url);

type Files = Readonly<Record<string, string>>;

/** What was written down beside a store when it was made. */
export interface AboutStore {
  readonly made_at: string;
  /** Base64, of what the last events were sealed with. */
  readonly payload_keys: string;
  readonly passphrase: string;
  /** Keys: one that works, one that was revoked. */
  readonly agent: string;
  readonly revoked: string;
  /** A session whose payloads are sealed, and a channel that is open. */
  readonly sealed: string;
  readonly channel: string;
  readonly counts: Readonly<Record<string, number>>;
  /** Of the data directory. */
  readonly files: Files;
  /** Of the governed repository that is attached. */
  readonly run: Files;
}

export interface OldStore {
  readonly about: AboutStore;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly runRoot: string;
  remove(): Promise<void>;
}

export async function readAbout(engine: 'sqlite' | 'postgres', commit: string): Promise<AboutStore> {
  return JSON.parse(await readFile(new URL(`${engine}-${commit}.json`, STORES), 'utf8'));
}

/** A copy of a committed store, in the engine under test, as if its server had just been stopped. */
export async function unpackStore(open: OpenForTest, commit: string): Promise<OldStore> {
  const about = await readAbout(open.engine, commit);
  const dataDir = await mkdtemp(join(tmpdir(), 'baton-upgrade-'));
  const runRoot = join(dataDir, 'greeter');
  await writeFiles(dataDir, about.files);
  await writeFiles(runRoot, about.run);
  const databaseUrl = await (open.engine === 'sqlite'
    ? unpackSqlite(dataDir, commit)
    : loadPostgres(open, commit));
  return {
    about,
    dataDir,
    databaseUrl,
    runRoot,
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text, { mode: 0o600 });
  }
}

async function unpackSqlite(dataDir: string, commit: string): Promise<string> {
  const url = `sqlite:${join(dataDir, 'baton.db')}`;
  await restoreStore(url, commit);
  return url;
}

/** The tables of a committed store, at an address where there are none. */
export async function restoreStore(url: string, commit: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    await writeFile(url.slice('sqlite:'.length), await unzipped(`sqlite-${commit}.db.gz`));
  } else {
    await restorePostgres(url, commit);
  }
}

async function loadPostgres(open: OpenForTest, commit: string): Promise<string> {
  const url = open.urlOf(await open([]));
  await restorePostgres(url, commit);
  return url;
}

async function restorePostgres(url: string, commit: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const schema = new URL(url).searchParams.get('schema') ?? 'public';
    await client.query(`set search_path to ${schema}`);
    // A schema that was made for a test has this one table, of a store that never was; the script brings its own.
    await client.query('drop table if exists schema_migrations');
    await client.query((await unzipped(`postgres-${commit}.sql.gz`)).toString('utf8'));
  } finally {
    await client.end();
  }
}

async function unzipped(name: string): Promise<Buffer> {
  return gunzipSync(await readFile(new URL(name, STORES)));
}
