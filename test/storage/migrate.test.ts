import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import type { Database, SqlValue } from '../../src/spine/storage/database.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';
import { describeOnPostgres } from '../../src/spine/storage/testing.ts';
import { bundleForNode } from '../setup/bundle.ts';
import { type Ran, runBaton } from '../setup/cli.ts';
import { type OldStore, unpackStore } from '../upgrade/old-store.ts';

/** Each engine lists its own steps and keeps its own index; all else is the same. */
const ENGINES_OWN = ['schema_migrations', 'search_postings'];

/** When the command is killed: at a page, halfway through the comparison, while verifying, and once the source is closed. */
const MOMENTS =
  process.env.BATON_PROVE === '1' ? ['1', '25', 'comparing', 'verifying', 'moved'] : ['25', 'moved'];

/** Every row of every table as text, read without the code that moves them. */
async function contentOf(url: string): Promise<Record<string, string[]>> {
  const db = await openDatabase(url);
  try {
    return await db.read(async (reader) => {
      const content: Record<string, string[]> = {};
      for (const table of Object.keys(tables)) {
        if (ENGINES_OWN.includes(table)) continue;
        const rows = await reader.all<Record<string, SqlValue>>(`select * from ${table}`);
        content[table] = rows.map(rowText).sort();
      }
      return content;
    });
  } finally {
    await db.close();
  }
}

function rowText(row: Record<string, SqlValue>): string {
  const cells = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(
    cells.map(([name, cell]) => [
      name,
      cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell,
    ]),
  );
}

describeOnPostgres('a store that moves from PostgreSQL to SQLite and back', (open) => {
  let old: OldStore;
  let script: string;
  let sqlite: string;
  let postgres: string;
  let kept: string;

  beforeAll(async () => {
    old = await unpackStore(open, '855c288');
    script = await bundleForNode(fileURLToPath(new URL('./migrate.child.ts', import.meta.url)));
    sqlite = `sqlite:${join(old.dataDir, 'moved.db')}`;
    const empty = new URL(old.databaseUrl);
    empty.searchParams.set('schema', `${empty.searchParams.get('schema')}_back`);
    postgres = empty.href;
    kept = join(old.dataDir, 'kept.txt');
    const run = await baton(old.databaseUrl, 'journal', 'checkpoint', '--out', kept);
    expect(run.stderr).toBe('');
  }, 120_000);
  afterAll(() => old?.remove());

  const env = (url: string) => ({
    HOME: old.dataDir,
    BATON_DATA: old.dataDir,
    BATON_DATABASE_URL: url,
    BATON_PAYLOAD_KEYS: old.about.payload_keys,
  });

  function baton(url: string, ...args: string[]): Promise<Ran> {
    return runBaton(args, { env: env(url) });
  }

  /** Resolves with the signal that ended it. */
  function moveAndDie(from: string, to: string, moment: string): Promise<string | null> {
    const child = spawn(process.execPath, [script, to, moment], { env: { ...process.env, ...env(from) } });
    return new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)));
  }

  it('keeps every row, the tree and what was proved before', async () => {
    const moved = await baton(old.databaseUrl, 'migrate', '--to', sqlite, '--json');
    expect(moved).toMatchObject({ code: 0, stderr: '' });
    const before = await contentOf(old.databaseUrl);
    expect(await contentOf(sqlite)).toEqual(before);
    const filled = Object.values(before).filter((rows) => rows.length > 0);
    expect(filled.length).toBeGreaterThan(60);

    const verified = await baton(sqlite, 'journal', 'verify', '--json', '--checkpoint', kept);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    const report = JSON.parse(verified.stdout);
    expect(report).toMatchObject({ valid: true, faults: [], kept: { checkpoints: 1 } });
    const note = await readFile(kept, 'utf8');
    expect(report.kept.newest).toBe(Number(note.split('\n')[1]));
  }, 120_000);

  it('is closed for good where it was, also to who had it open', async () => {
    const refused = await baton(old.databaseUrl, 'journal', 'verify');
    expect(refused.stderr).toContain('storage_moved');
    const still = await openDatabase(old.databaseUrl);
    const insert = still.write((uow) => uow.run('insert into events select * from events limit 1'));
    await expect(insert).rejects.toThrow('this store has moved');
    await still.close();
  }, 60_000);

  it('is not mixed with what another database holds', async () => {
    const foreign = `sqlite:${join(old.dataDir, 'foreign.db')}`;
    const db: Database = await openDatabase(foreign);
    await db.write((uow) => uow.run('create table shopping (item text)'));
    await db.close();
    const refused = await baton(sqlite, 'migrate', '--to', foreign);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The target is not empty') });
  }, 60_000);

  it('arrives whole although the command was killed on the way', async () => {
    for (const moment of MOMENTS) expect(await moveAndDie(sqlite, postgres, moment), moment).toBe('SIGKILL');
    const early = await baton(postgres, 'journal', 'verify');
    expect(early.stderr).toContain('storage_arriving');
    const finished = await baton(sqlite, 'migrate', '--to', postgres);
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect(finished.stdout).toContain('moved');
    expect(await contentOf(postgres)).toEqual(await contentOf(sqlite));
    const verified = await baton(postgres, 'journal', 'verify', '--checkpoint', kept);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    const again = await baton(sqlite, 'migrate', '--to', postgres);
    expect(again.stderr).toContain('migration_refused');
  }, 180_000);

  it('numbers new rows after those that it ever had', async () => {
    const db = await openDatabase(postgres);
    const numbers = await db.write(async (uow) => {
      const highest = await uow.get<{ seq: number }>('select max(seq) as seq from events');
      const next = await uow.get<{ seq: number }>(
        `select nextval(pg_get_serial_sequence('events', 'seq')) as seq`,
      );
      return [highest?.seq ?? 0, next?.seq ?? 0] as const;
    });
    await db.close();
    expect(numbers[1]).toBeGreaterThan(numbers[0]);
  });
});
