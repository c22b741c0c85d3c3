import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import type { Migration } from './migration.ts';
import { describeOnEachEngine, describeOnSqlite } from './testing.ts';

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
    await db.compact();
    expect([await holds(path), await holds(`${path}-wal`)]).toEqual([false, false]);
    expect((await stat(`${path}-wal`)).size).toBe(0);
    expect(await db.read((reader) => reader.all('select id, body from notes'))).toEqual([
      { id: 7, body: 'kept' },
    ]);
  });

  it('gives storage_locked while another process writes', async () => {
    const db = await open(MIGRATIONS, { lockWaitMs: 50 });
    const holder = new DatabaseSync(open.urlOf(db).slice('sqlite:'.length));
    holder.exec('begin immediate');
    await expect(db.compact()).rejects.toMatchObject({ code: 'storage_locked' });
    holder.exec('rollback');
    holder.close();
  });
});
