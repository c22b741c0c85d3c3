import { statSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it, vi } from 'vitest';
import type { Database } from '../database.ts';
import type { Migration } from '../migration.ts';
import { describeOnSqlite, type OpenForTest } from '../testing.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-notes',
    statements: (ddl) => [`create table notes (id ${ddl.serial}, body ${ddl.text}) ${ddl.end}`],
  },
];

const PAGE = 4_096;

/** A page or more for each. */
const fill = (db: Database, count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      db.write((uow) => uow.run('insert into notes (body) values (?)', ['x'.repeat(PAGE)])),
    ),
  );

function logOf(open: OpenForTest, db: Database) {
  const beside = new DatabaseSync(open.urlOf(db).slice('sqlite:'.length), { readOnly: true });
  const { log, checkpointed } = beside.prepare('pragma wal_checkpoint(noop)').get() as Record<string, number>;
  beside.close();
  return { log: log ?? 0, left: (log ?? 0) - (checkpointed ?? 0) };
}

describeOnSqlite('the write-ahead log', (open) => {
  it('is moved into the data file long before SQLite would do so in a commit, and begins anew', async () => {
    const db = await open(MIGRATIONS);
    await fill(db, 3_000);
    expect(logOf(open, db).left).toBeGreaterThan(3_000);
    await fill(db, 3_000);
    await vi.waitFor(() => expect(logOf(open, db).left).toBeLessThan(4_000), { timeout: 60_000 });
    await fill(db, 2_000);
    expect(logOf(open, db).log).toBeLessThan(8_000);
    const rows = await db.read((reader) => reader.get('select count(*) as n from notes'));
    expect(rows).toEqual({ n: 8_000 });
  });

  it('does not grow without end while somebody writes', async () => {
    const db = await open(MIGRATIONS);
    const wal = `${open.urlOf(db).slice('sqlite:'.length)}-wal`;
    for (let round = 0; round < 40; round += 1) await fill(db, 1_000);
    expect(statSync(wal).size).toBeLessThan(20_000 * PAGE);
    const check = await db.read((reader) => reader.get('pragma integrity_check'));
    expect(check).toEqual({ integrity_check: 'ok' });
  });

  it('waits for whoever still reads from it, and is empty when the store is closed', async () => {
    const db = await open(MIGRATIONS);
    const path = open.urlOf(db).slice('sqlite:'.length);
    let count = 0;
    await db.read(async (reader) => {
      const counted = async () => (await reader.get<{ n: number }>('select count(*) as n from notes'))?.n;
      expect(await counted()).toBe(0);
      await fill(db, 6_000);
      count = (await counted()) ?? -1;
    });
    expect(count).toBe(0);
    expect(await db.read((reader) => reader.get('select count(*) as n from notes'))).toEqual({ n: 6_000 });
    await db.close();
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });
});
