import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { expect, it } from 'vitest';
import type { Migration } from './migration.ts';
import { describeOnEachEngine, describeOnPostgres, describeOnSqlite } from './testing.ts';

const SECRET = 'the-secret-that-must-go';
const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-notes',
    statements: (ddl) => [`create table notes (id ${ddl.serial}, body ${ddl.text}) ${ddl.end}`],
  },
];

describeOnEachEngine('compacting', (open) => {
  it('keeps every row, and writing goes on', async () => {
    const db = await open(MIGRATIONS);
    const add = (body: string) => db.write((uow) => uow.run('insert into notes (body) values (?)', [body]));
    await Promise.all(Array.from({ length: 200 }, (_, index) => add(`${index} ${'x'.repeat(500)}`)));
    await db.write((uow) => uow.run('delete from notes where id > 100'));
    await Promise.all([db.compact(), ...Array.from({ length: 20 }, () => add('meanwhile'))]);
    expect(await db.read((reader) => reader.get('select count(*) as n from notes'))).toEqual({ n: 120 });
  });
});

describeOnSqlite('an erasure', (open) => {
  it('leaves no trace of the text in the file or its WAL', async () => {
    const db = await open(MIGRATIONS);
    const path = open.urlOf(db).slice('sqlite:'.length);
    const holds = async (file: string) => existsSync(file) && (await readFile(file)).includes(SECRET);
    await db.write(async (uow) => {
      for (let row = 0; row < 300; row++) {
        await uow.run('insert into notes (body) values (?)', [`${SECRET} ${row} ${'y'.repeat(row * 10)}`]);
      }
    });
    expect((await holds(path)) || (await holds(`${path}-wal`))).toBe(true);
    await db.write((uow) => uow.run('delete from notes where id <> 7'));
    await db.write((uow) => uow.run("update notes set body = 'kept'"));
    expect(await db.compact()).toEqual({ remains: [] });
    expect([await holds(path), await holds(`${path}-wal`)]).toEqual([false, false]);
    expect((await stat(`${path}-wal`)).size).toBe(0);
    expect(await db.read((reader) => reader.all('select id, body from notes'))).toEqual([
      { id: 7, body: 'kept' },
    ]);
  });

  it('says what is left while another process reads, does not grow the WAL with each try, and ends later', async () => {
    const db = await open(MIGRATIONS, { lockWaitMs: 50 });
    const path = open.urlOf(db).slice('sqlite:'.length);
    const wal = async () => (await stat(`${path}-wal`)).size;
    await db.write((uow) => uow.run('insert into notes (body) values (?)', [SECRET.repeat(1000)]));
    const holder = new DatabaseSync(path, { readOnly: true });
    holder.exec('begin');
    holder.prepare('select count(*) from notes').get();
    await db.write((uow) => uow.run('delete from notes'));
    const before = await wal();
    for (let tries = 0; tries < 3; tries++) expect(await db.compact()).toEqual({ remains: ['wal'] });
    expect(await wal()).toBe(before);
    await db.write((uow) => uow.run("insert into notes (body) values ('meanwhile')"));
    holder.exec('rollback');
    holder.close();
    expect(await db.compact()).toEqual({ remains: [] });
    expect((await readFile(path)).includes(SECRET)).toBe(false);
  });

  it('says what is left while another process writes', async () => {
    const db = await open(MIGRATIONS, { lockWaitMs: 50 });
    const holder = new DatabaseSync(open.urlOf(db).slice('sqlite:'.length));
    holder.exec('begin immediate');
    expect(await db.compact()).toEqual({ remains: [expect.stringMatching(/wal|file/)] });
    holder.exec('rollback');
    holder.close();
    expect(await db.compact()).toEqual({ remains: [] });
  });
});

describeOnPostgres('an erasure on PostgreSQL', (open) => {
  it('says what is left while an older transaction is open', async () => {
    const db = await open(MIGRATIONS, { lockWaitMs: 300 });
    const client = new pg.Client({ connectionString: open.urlOf(db) });
    await client.connect();
    await client.query('begin isolation level repeatable read');
    await client.query('select 1');
    await db.write((uow) => uow.run('insert into notes (body) values (?)', [SECRET]));
    await db.write((uow) => uow.run('delete from notes'));
    expect(await db.compact()).toEqual({ remains: ['dead_rows'] });
    await client.query('rollback');
    await client.end();
    await expect.poll(async () => (await db.compact()).remains, { timeout: 10_000 }).toEqual([]);
  });
});
