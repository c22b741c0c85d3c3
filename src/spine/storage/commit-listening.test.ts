import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { Database } from './database.ts';
import type { Migration } from './migration.ts';
import { describeOnEachEngineEvenBare } from './testing.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-entries',
    statements: (ddl) => [`create table entries (id ${ddl.serial}, body ${ddl.text} not null) ${ddl.end}`],
  },
];

const add = (db: Database) => db.write((uow) => uow.run("insert into entries (body) values ('x')"));
const count = async (db: Database) =>
  (await db.read((reader) => reader.get<{ n: number }>('select count(*) as n from entries')))?.n ?? 0;

/** Reads on every call, as a feed does, and tells how much it has seen. */
function follow(db: Database) {
  const seen = { entries: 0, calls: 0 };
  let reading = Promise.resolve();
  const stop = db.onCommit(() => {
    seen.calls++;
    reading = reading.then(async () => {
      seen.entries = await count(db);
    });
  });
  return Object.assign(seen, {
    /** Resolves once the last read has ended, so that no read meets a store that the test's end closed. */
    stop: async () => {
      stop();
      await reading;
    },
  });
}

describeOnEachEngineEvenBare('a commit listener', (open) => {
  it('hears of the commits of its own handle', async () => {
    const db = await open(MIGRATIONS);
    const seen = follow(db);
    for (let time = 0; time < 5; time++) await add(db);
    await expect.poll(() => seen.entries).toBe(5);
    await seen.stop();
  });

  it('hears of the commits of another handle, never missing the last', async () => {
    const db = await open(MIGRATIONS);
    const other = await open(MIGRATIONS, { beside: db });
    const seen = follow(db);
    for (let total = 1; total <= 12; total++) {
      await add(other);
      if (total % 4 === 0) await expect.poll(() => seen.entries).toBe(total);
    }
    await seen.stop();
  });

  it('hears of a commit made right after it subscribed', async () => {
    const db = await open(MIGRATIONS);
    const other = await open(MIGRATIONS, { beside: db });
    const before = add(other);
    const seen = follow(db);
    await before;
    await expect.poll(() => seen.entries).toBe(1);
    await seen.stop();
  });

  it('hears nothing more after it stopped', async () => {
    const db = await open(MIGRATIONS);
    const other = await open(MIGRATIONS, { beside: db });
    const seen = follow(db);
    await vi.waitFor(async () => {
      await add(other);
      expect(seen.calls).toBeGreaterThan(0);
    }, 120_000);
    await seen.stop();
    const calls = seen.calls;
    await add(db);
    await add(other);
    await sleep(100);
    expect(seen.calls).toBe(calls);
  });

  it('is not called for units that only read, and its errors stay its own', async () => {
    const stray: unknown[] = [];
    const db = await open(MIGRATIONS, { onStrayError: (error) => stray.push(error) });
    let own = 0;
    const stop = db.onCommit(() => {
      own++;
      throw new Error('listener');
    });
    await db.write((uow) => uow.all('select id from entries'));
    const afterReading = own;
    await add(db);
    expect(own).toBeGreaterThan(afterReading);
    expect(await count(db)).toBe(1);
    expect(stray[0]).toMatchObject({ message: 'listener' });
    stop();
  });
});
