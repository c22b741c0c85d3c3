import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, open as openFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { Database, UnitOfWork } from '../database.ts';
import type { Migration } from '../migration.ts';
import type { FaultPoint } from '../options.ts';
import { describeOnSqlite } from '../testing.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-notes',
    statements: (ddl) => [`create table notes (id ${ddl.serial}, body ${ddl.text}) ${ddl.end}`],
  },
];

const add = (body: string) => (uow: UnitOfWork) => uow.run('insert into notes (body) values (?)', [body]);
const bodies = async (db: Database) =>
  (await db.read((reader) => reader.all<{ body: string }>('select body from notes order by id'))).map(
    ({ body }) => body,
  );

const THREADS = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
const held: (() => Promise<void>)[] = [];

/** Keeps every thread of the pool waiting for somebody to write into a pipe, so that a flush begins only when they are let go. */
async function holdThreads(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-pipe-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const waiting = Array.from({ length: THREADS }, () => openFile(pipe, 'r'));
  let released: Promise<void> | undefined;
  const release = async () => {
    const writer = openSync(pipe, 'r+');
    for (const opened of await Promise.all(waiting)) await opened.close();
    closeSync(writer);
    await rm(folder, { recursive: true });
  };
  const once = () => {
    released ??= release();
    return released;
  };
  held.push(once);
  return once;
}

describeOnSqlite('a commit that waits for the disk', (open) => {
  afterEach(async () => {
    for (const release of held.splice(0)) await release();
  });

  async function begin() {
    const points: FaultPoint[] = [];
    const state = { failing: undefined as FaultPoint | undefined };
    const db = await open(MIGRATIONS, {
      faults: (point) => {
        points.push(point);
        if (point === state.failing) throw new Error('the disk is gone');
      },
    });
    await db.write(add('before'));
    points.length = 0;
    const until = async (point: FaultPoint, times: number) => {
      while (points.filter((each) => each === point).length < times) await nextTurn();
    };
    return { db, points, state, until };
  }

  it('lets the next batch work and commit, and neither is acknowledged or shown before it is on the disk', async () => {
    const { db, points, until } = await begin();
    const told: string[] = [];
    const release = await holdThreads();
    const first = db.write(add('first')).then(() => told.push('first'));
    await until('flush', 1);
    const second = db.write(add('second')).then(() => told.push('second'));
    await until('after.commit', 2);
    const reading = bodies(db).then((shown) => told.push(shown.join()));
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(told).toEqual([]);
    await release();
    await Promise.all([first, second, reading]);
    expect(told).toEqual(['first', 'second', 'before,first,second']);
    expect(points.filter((point) => /flush|after.commit/.test(point))).toEqual([
      'after.commit',
      'flush',
      'after.commit',
      'after.flush',
      'flush',
      'after.flush',
    ]);
  });

  it('is flushed with all that were committed since the flush before it', async () => {
    const { db, points, until } = await begin();
    const release = await holdThreads();
    const writing = [db.write(add('0'))];
    await until('after.commit', 1);
    writing.push(db.write(add('1')));
    await until('after.commit', 2);
    writing.push(db.write(add('2')), db.write(add('3')));
    await until('after.commit', 3);
    await release();
    await Promise.all(writing);
    expect(points.filter((point) => point === 'flush')).toHaveLength(2);
  });

  it('is not told apart from those before it by what it writes: one that only reads waits for them, too', async () => {
    const { db, until } = await begin();
    const told: string[] = [];
    const release = await holdThreads();
    const writing = db.write(add('first')).then(() => told.push('written'));
    await until('flush', 1);
    const reading = db.write(async (uow) => {
      const rows = await uow.all('select body from notes');
      return rows.length;
    });
    const read = reading.then((count) => told.push(`read ${count}`));
    await until('after.commit', 2);
    await nextTurn();
    expect(told).toEqual([]);
    await release();
    await Promise.all([writing, read]);
    expect(told).toEqual(['written', 'read 2']);
  });

  it('takes all with it that were committed on top of it, and the next ones start afresh', async () => {
    const { db, state, until } = await begin();
    const release = await holdThreads();
    const first = db.write(add('first'));
    await until('flush', 1);
    const second = db.write(add('second'));
    await until('after.commit', 2);
    state.failing = 'after.flush';
    const outcomes = Promise.allSettled([first, second]);
    await release();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'storage_unavailable', details: { outcome: 'unknown' } },
      });
    }
    expect(await db.health()).toMatchObject({ status: 'fail' });
    state.failing = undefined;
    await db.write(add('third'));
    expect(await db.health()).toMatchObject({ status: 'pass' });
    expect((await bodies(db)).at(-1)).toBe('third');
  });

  it('takes back the batch that is at work on top of it, and nothing of that is kept', async () => {
    const { db, points, state, until } = await begin();
    const release = await holdThreads();
    const first = db.write(add('first'));
    await until('flush', 1);
    const second = db.write(async (uow) => {
      await add('second')(uow);
      state.failing = 'after.flush';
      void release();
      while (!points.includes('after.flush')) {
        for (const end = performance.now() + 25; performance.now() < end; );
        await uow.giveTurn();
      }
      await add('second again')(uow);
    });
    const third = db.write(add('third'));
    const outcomes = await Promise.allSettled([first, second]);
    expect(outcomes[0]).toMatchObject({ reason: { details: { outcome: 'unknown' } } });
    expect(outcomes[1]).toMatchObject({ status: 'rejected', reason: { code: 'storage_unavailable' } });
    expect(outcomes[1]).not.toMatchObject({ reason: { details: { outcome: 'unknown' } } });
    await Promise.allSettled([third]);
    state.failing = undefined;
    await db.write(add('last'));
    const kept = await bodies(db);
    expect(kept.filter((body) => body.startsWith('second'))).toEqual([]);
    expect(kept.at(-1)).toBe('last');
  });

  it('is waited for when the store is closed', async () => {
    const { db, until } = await begin();
    const release = await holdThreads();
    const writing = db.write(add('first'));
    await until('flush', 1);
    const more = db.write(add('second'));
    const closing = db.close();
    await release();
    await Promise.all([writing, more, closing]);
  });
});
