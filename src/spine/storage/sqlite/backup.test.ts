import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import type { Migration } from '../migration.ts';
import { openDatabase } from '../open.ts';
import { describeOnPostgres, describeOnSqlite } from '../testing.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-pairs',
    statements: (ddl) => [
      `create table lefts (id ${ddl.serial}, body ${ddl.text}) ${ddl.end}`,
      `create table rights (id ${ddl.serial}, body ${ddl.text}) ${ddl.end}`,
    ],
  },
];

const addPair = (db: Database) =>
  db.write(async (uow) => {
    await uow.run('insert into lefts (body) values (?)', ['l'.repeat(2_000)]);
    await uow.run('insert into rights (body) values (?)', ['r'.repeat(2_000)]);
  });

const counts = (db: Database) =>
  db.read(async (reader) => {
    const lefts = await reader.get<{ n: number }>('select count(*) as n from lefts');
    const rights = await reader.get<{ n: number }>('select count(*) as n from rights');
    return [lefts?.n ?? 0, rights?.n ?? 0] as const;
  });

describeOnSqlite('a backup', (open) => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'baton-backup-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is a consistent copy, made while writing goes on', async () => {
    const db = await open(MIGRATIONS);
    await Promise.all(Array.from({ length: 4_000 }, () => addPair(db)));
    const target = join(folder, 'copy.db');
    const progress: (readonly [number, number])[] = [];
    let writing = true;
    let written = 0;
    const writer = (async () => {
      while (writing) {
        await addPair(db);
        written++;
      }
    })();
    await db.backup(target, (done, total) => progress.push([done, total]));
    writing = false;
    await writer;

    expect(written).toBeGreaterThan(0);
    expect(progress.length).toBeGreaterThan(2);
    expect(progress.every(([done, total]) => done <= total)).toBe(true);
    expect(await readdir(folder)).toEqual(['copy.db']);
    expect(((await stat(target)).mode & 0o777).toString(8)).toBe('600');

    const copy = await openDatabase(`sqlite:${target}`);
    const [lefts, rights] = await counts(copy);
    expect(lefts).toBe(rights);
    expect(lefts).toBeGreaterThanOrEqual(4_000);
    await copy.migrate(MIGRATIONS);
    await addPair(copy);
    await copy.close();
    expect((await counts(db))[0]).toBe(4_000 + written);
  });

  it('never overwrites a file', async () => {
    const db = await open(MIGRATIONS);
    const target = join(folder, 'precious.txt');
    await writeFile(target, 'precious');
    await expect(db.backup(target)).rejects.toMatchObject({ code: 'backup_refused', status: 409 });
    expect(await readFile(target, 'utf8')).toBe('precious');
    expect(await readdir(folder)).toEqual(['precious.txt']);
  });

  it('gives way to a file that appears while it runs', async () => {
    const db = await open(MIGRATIONS);
    await addPair(db);
    const target = join(folder, 'contested.db');
    const outcomes = await Promise.allSettled([db.backup(target), db.backup(target)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await readdir(folder)).toEqual(['contested.db']);
  });

  it('needs a folder that exists', async () => {
    const db = await open(MIGRATIONS);
    const backup = db.backup(join(folder, 'none', 'copy.db'));
    await expect(backup).rejects.toMatchObject({ code: 'backup_refused' });
  });
});

describeOnPostgres('a backup of PostgreSQL', (open) => {
  it('is left to its own tools', async () => {
    const db = await open([]);
    await expect(db.backup('/nowhere')).rejects.toMatchObject({
      code: 'backup_refused',
      next: expect.stringContaining('pg_dump'),
    });
  });
});
