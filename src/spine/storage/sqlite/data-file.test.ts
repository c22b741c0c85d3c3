import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, UnitOfWork } from '../database.ts';
import type { Migration } from '../migration.ts';
import { openDatabase } from '../open.ts';
import { requireVersion } from './connection.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-notes',
    statements: (ddl) => [`create table notes (body ${ddl.text}) ${ddl.end}`],
  },
];

const add = (uow: UnitOfWork) => uow.run("insert into notes (body) values ('x')");
const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('the data file', () => {
  let folder: string;
  const opened: Database[] = [];
  const open = async (path: string) => {
    const db = await openDatabase(`sqlite:${path}`, { lockWaitMs: 200 });
    opened.push(db);
    return db;
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'baton-file-'));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((db) => db.close()));
    await rm(folder, { recursive: true, force: true });
  });

  it('is made for its owner alone, with its folder and its WAL', async () => {
    const path = join(folder, 'new', 'deep', 'baton.db');
    const db = await open(path);
    await db.migrate(MIGRATIONS);
    expect(await mode(join(folder, 'new', 'deep'))).toBe('700');
    expect(await mode(path)).toBe('600');
    expect(await mode(`${path}-wal`)).toBe('600');
    expect(await mode(`${path}-shm`)).toBe('600');
  });

  it('keeps the group that its owner gave it to, and is closed to everybody else', async () => {
    const path = join(folder, 'baton.db');
    for (const [given, kept] of [
      [0o640, '640'],
      [0o644, '600'],
    ] as const) {
      await (await open(path)).close();
      await chmod(path, given);
      await (await open(path)).close();
      expect(await mode(path)).toBe(kept);
    }
  });

  it('holds everything once the store is closed', async () => {
    const path = join(folder, 'baton.db');
    const db = await open(path);
    await db.migrate(MIGRATIONS);
    await db.write(add);
    await db.close();
    const wal = existsSync(`${path}-wal`) ? (await stat(`${path}-wal`)).size : 0;
    expect(wal).toBe(0);
    const copy = join(folder, 'copy.db');
    await writeFile(copy, await readFile(path));
    const other = await open(copy);
    expect(await other.read((reader) => reader.all('select body from notes'))).toEqual([{ body: 'x' }]);
  });

  it('whose WAL is deleted while it is open takes nothing more, and keeps all that it had taken', async () => {
    const path = join(folder, 'baton.db');
    const db = await open(path);
    await db.migrate(MIGRATIONS);
    await db.write(add);
    await rm(`${path}-wal`);
    await expect(db.write(add)).rejects.toMatchObject({
      code: 'storage_displaced',
      details: { reason: 'wal_deleted', saved: true },
    });
    await expect(db.write(add)).rejects.toMatchObject({ code: 'storage_displaced' });
    expect(await db.health()).toMatchObject({ status: 'fail' });
    await db.close();
    const again = await open(path);
    const rows = await again.read((reader) => reader.all('select body from notes'));
    // What was acknowledged, and what was committed before the loss was seen.
    expect(rows).toHaveLength(2);
    await again.write(add);
  });

  it('that is replaced while it is open takes nothing more', async () => {
    const path = join(folder, 'baton.db');
    const db = await open(path);
    await db.migrate(MIGRATIONS);
    await db.write(add);
    await writeFile(join(folder, 'other.db'), await readFile(path));
    await rename(join(folder, 'other.db'), path);
    await expect(db.write(add)).rejects.toMatchObject({
      code: 'storage_displaced',
      details: { reason: 'data_replaced', saved: false },
    });
  });

  it('takes nothing after a flush that failed until it has been settled and read whole', async () => {
    const path = join(folder, 'baton.db');
    let failing = true;
    const db = await openDatabase(`sqlite:${path}`, {
      faults: (point) => {
        if (point === 'flush' && failing) throw new Error('EIO');
      },
    });
    opened.push(db);
    await expect(db.migrate(MIGRATIONS)).rejects.toMatchObject({
      code: 'storage_unavailable',
      details: { outcome: 'unknown' },
    });
    failing = false;
    await db.migrate(MIGRATIONS);
    await db.write(add);
    expect(await db.health()).toMatchObject({ status: 'pass' });
  });

  it('is refused when it is no SQLite file, and left as it is', async () => {
    const path = join(folder, 'letter.txt');
    await writeFile(path, 'Dear reader, '.repeat(1_000));
    await expect(open(path)).rejects.toMatchObject({
      code: 'storage_unsupported',
      message: expect.stringContaining(path),
    });
    expect(await readFile(path, 'utf8')).toBe('Dear reader, '.repeat(1_000));
  });

  it('is refused when it is a folder', async () => {
    const path = join(folder, 'sub');
    await mkdir(path);
    await expect(open(path)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  it('is never replaced by an empty one while the store is open', async () => {
    const path = join(folder, 'baton.db');
    let failing = true;
    const db = await openDatabase(`sqlite:${path}`, {
      faults: (point) => {
        if (failing && point === 'after.commit') throw new Error('the disk is gone');
      },
    });
    opened.push(db);
    await expect(db.migrate(MIGRATIONS)).rejects.toMatchObject({ code: 'storage_unavailable' });
    failing = false;
    await rename(path, `${path}.away`);
    await expect(db.write(add)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(existsSync(path)).toBe(false);
    await rename(`${path}.away`, path);
    await db.write(add);
    expect(await db.read((reader) => reader.all('select body from notes'))).toEqual([{ body: 'x' }]);
  });

  it('cannot be memory, because its readers could not see it', async () => {
    await expect(openDatabase('sqlite::memory:')).rejects.toMatchObject({ code: 'storage_unsupported' });
    await expect(openDatabase('sqlite:')).rejects.toMatchObject({ code: 'storage_unsupported' });
  });

  it('may be named by a path with three slashes, or by a file URL', async () => {
    const path = join(folder, 'a b.db');
    for (const url of [`sqlite://${path}`, `file://${path.replace(' ', '%20')}`]) {
      const db = await openDatabase(url);
      opened.push(db);
      await db.migrate(MIGRATIONS);
    }
    expect(existsSync(path)).toBe(true);
  });

  it('is known by no other scheme', async () => {
    await expect(openDatabase('mysql://host/name')).rejects.toMatchObject({
      code: 'storage_unsupported',
      message: expect.not.stringContaining('host'),
    });
  });
});

describe('SQLite itself', () => {
  it('is refused when it is older than the repair of its WAL', () => {
    for (const old of ['3.51.2', '3.50.9', '2.99.99', '3.9.0'])
      expect(() => requireVersion(old)).toThrow(old);
    for (const good of ['3.51.3', '3.52.0', '3.53.0', '4.0.0'])
      expect(() => requireVersion(good)).not.toThrow();
  });
});
