import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import type { Database, Gathering, UnitOfWork } from '../database.ts';
import type { Migration } from '../migration.ts';
import type { FaultPoint } from '../options.ts';
import { describeOnSqlite, type OpenForTest } from '../testing.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-notes',
    statements: (ddl) => [`create table notes (id ${ddl.serial}, body ${ddl.text}) ${ddl.end}`],
  },
];

const add = (uow: UnitOfWork, body = 'x') => uow.run('insert into notes (body) values (?)', [body]);
const bodies = async (db: Database) =>
  (await db.read((reader) => reader.all<{ body: string }>('select body from notes order by id'))).map(
    (r) => r.body,
  );
const pathOf = (open: OpenForTest, db: Database) => open.urlOf(db).slice('sqlite:'.length);

describeOnSqlite('group commit', (open) => {
  it('makes units that wait together durable by one commit', async () => {
    const points: FaultPoint[] = [];
    const db = await open(MIGRATIONS, { batchMs: 60_000, faults: (point) => points.push(point) });
    points.length = 0;
    await Promise.all(Array.from({ length: 64 }, () => db.write((uow) => add(uow))));
    expect(points.filter((point) => point === 'before.commit')).toHaveLength(1);
    expect(points.filter((point) => point === 'unit.start')).toHaveLength(64);
    expect(await bodies(db)).toHaveLength(64);
  });

  it('does what its units left to it once', async () => {
    const calls: number[] = [];
    const keep: Gathering<string> = {
      async apply(uow, items) {
        calls.push(items.length);
        for (const item of items) await add(uow, item);
      },
    };
    const db = await open(MIGRATIONS, { batchMs: 60_000 });
    await Promise.all(
      Array.from({ length: 64 }, (_, n) => db.write(async (uow) => uow.gather(keep, `${n}`))),
    );
    expect(calls).toEqual([64]);
    expect(await bodies(db)).toEqual(Array.from({ length: 64 }, (_, n) => `${n}`));
  });

  it('is bounded, so that a flood of units does not hold the lock and the process', async () => {
    const sizes: number[] = [];
    let size = 0;
    const db = await open(MIGRATIONS, {
      faults: (point) => {
        if (point === 'unit.start') size++;
        if (point === 'after.commit') sizes.push(size);
        if (point === 'begin') size = 0;
      },
    });
    sizes.length = 0;
    await Promise.all(Array.from({ length: 700 }, () => db.write((uow) => add(uow))));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256);
    expect(sizes.reduce((sum, each) => sum + each)).toBe(700);
    expect(await bodies(db)).toHaveLength(700);
  });

  it('takes back a unit that fails after it wrote, keeps the others, and runs none more than twice', async () => {
    const db = await open(MIGRATIONS, { batchMs: 60_000 });
    const runs = new Array(40).fill(0);
    const outcomes = await Promise.allSettled(
      runs.map((_, n) =>
        db.write(async (uow) => {
          runs[n] += 1;
          await add(uow, `${n}`);
          if (n % 10 === 7) throw new Error(`not ${n}`);
        }),
      ),
    );
    const failed = outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []));
    expect(failed).toEqual([7, 17, 27, 37]);
    const kept = runs.flatMap((_, n) => (failed.includes(n) ? [] : [`${n}`]));
    expect(await bodies(db)).toEqual(kept);
    expect(Math.max(...runs)).toBeLessThanOrEqual(2);
    await db.write((uow) => add(uow, 'after'));
    expect(await bodies(db)).toEqual([...kept, 'after']);
  });

  it('runs nothing again where a unit fails before it writes', async () => {
    const db = await open(MIGRATIONS, { batchMs: 60_000 });
    let runs = 0;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        db.write(async (uow) => {
          runs += 1;
          await uow.get('select 1 as one from notes');
          if (n === 5) throw new Error('not found');
          await add(uow);
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(runs).toBe(20);
    expect(await bodies(db)).toHaveLength(19);
  });

  it('runs units in the order they came, each seeing the one before', async () => {
    const db = await open(MIGRATIONS);
    const counts = await Promise.all(
      Array.from({ length: 20 }, () =>
        db.write(async (uow) => {
          const row = await uow.get<{ n: number }>('select count(*) as n from notes');
          await add(uow);
          return row?.n;
        }),
      ),
    );
    expect(counts).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('fails a unit that failed on what a neighbour wrote and lost with the loss, not with the neighbour', async () => {
    let failing = false;
    const db = await open(MIGRATIONS, {
      faults: (point) => {
        if (failing && point === 'before.commit') throw new Error('the disk is gone');
      },
    });
    failing = true;
    const first = db.write((uow) => uow.run("insert into notes (id, body) values (1, 'a')"));
    const second = db.write((uow) => uow.run("insert into notes (id, body) values (1, 'b')"));
    const codes = (await Promise.allSettled([first, second])).map(
      (o) => o.status === 'rejected' && o.reason.code,
    );
    expect(codes).toEqual(['storage_unavailable', 'storage_unavailable']);
  });
});

describeOnSqlite('a unit that waits for something else than the store', (open) => {
  const waits: Record<string, (db: Database) => Promise<unknown>> = {
    'a timer': () => sleep(0),
    'the next turn': () => nextTurn(),
    'another unit': (db) => db.write(async () => undefined),
    'a promise that never settles': () => new Promise(() => undefined),
  };
  for (const [name, wait] of Object.entries(waits)) {
    it(`fails at once in strict mode (${name}), and its neighbours do not`, async () => {
      const db = await open(MIGRATIONS);
      const outcomes = await Promise.allSettled([
        db.write((uow) => add(uow, 'before')),
        db.write(async (uow) => {
          await add(uow, 'during');
          await wait(db);
          await add(uow, 'later');
        }),
        db.write((uow) => add(uow, 'after')),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(outcomes[1]).toMatchObject({ reason: { code: 'unit_stalled' } });
      await sleep(5);
      expect(await bodies(db)).toEqual(['before', 'after']);
    });
  }

  it('is let off within its patience otherwise, and stopped past it', async () => {
    const patient = await open(MIGRATIONS, { strictUnits: false, stallMs: 60_000 });
    await patient.write(async (uow) => {
      await sleep(1);
      await add(uow, 'slow');
    });
    expect(await bodies(patient)).toEqual(['slow']);

    const db = await open(MIGRATIONS, { strictUnits: false, stallMs: 100 });
    const nested = db.write(async (uow) => {
      await add(uow, 'outer');
      await db.write((inner) => add(inner, 'inner'));
    });
    await expect(nested).rejects.toMatchObject({ code: 'unit_stalled' });
    await db.write((uow) => add(uow, 'next'));
    expect(await bodies(db)).toEqual(['inner', 'next']);
  });
});

describeOnSqlite('a data file that another process has locked', (open) => {
  it('gives storage_locked after the wait, without holding up the process', async () => {
    const db = await open(MIGRATIONS, { lockWaitMs: 60 });
    const holder = new DatabaseSync(pathOf(open, db));
    holder.exec('begin immediate');
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    const outcome = db.write((uow) => add(uow));
    await expect(outcome).rejects.toMatchObject({ code: 'storage_locked', status: 503, retryable: true });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(0);
    holder.exec('rollback');
    holder.close();
    await db.write((uow) => add(uow, 'free'));
    expect(await bodies(db)).toEqual(['free']);
  });

  it('takes the unit once the lock is free', async () => {
    const db = await open(MIGRATIONS);
    const holder = new DatabaseSync(pathOf(open, db));
    holder.exec("begin immediate; insert into notes (body) values ('theirs')");
    const ours = db.write((uow) => add(uow, 'ours'));
    await sleep(30);
    holder.exec('commit');
    holder.close();
    await ours;
    expect(await bodies(db)).toEqual(['theirs', 'ours']);
  });

  it('can still be read', async () => {
    const db = await open(MIGRATIONS);
    await db.write((uow) => add(uow));
    const holder = new DatabaseSync(pathOf(open, db));
    holder.exec('begin immediate');
    expect(await bodies(db)).toEqual(['x']);
    holder.exec('rollback');
    holder.close();
  });
});

describeOnSqlite('a full disk', (open) => {
  it('fails the batch with storage_unavailable, leaves a sound file, and is over when there is room', async () => {
    const db = await open(MIGRATIONS, { batchMs: 60_000 });
    await db.write((uow) => add(uow, 'kept'));
    const limit = (uow: UnitOfWork) => uow.run('pragma max_page_count = 20');
    const outcomes = await Promise.allSettled([
      db.write((uow) => limit(uow)),
      db.write((uow) => add(uow, 'same batch')),
      db.write(async (uow) => {
        // Even work that catches the error cannot save its batch.
        for (let row = 0; row < 100; row++) await add(uow, 'z'.repeat(4_000)).catch(() => undefined);
      }),
    ]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'storage_unavailable', details: { reason: 'disk_full' }, cause: expect.any(Error) },
      });
    }
    expect(await db.health()).toMatchObject({ status: 'fail', message: 'The disk is full.' });
    await db.write((uow) => add(uow, 'room again'));
    expect(await db.health()).toMatchObject({ status: 'pass' });
    expect(await bodies(db)).toEqual(['kept', 'room again']);
    const check = await db.read((reader) => reader.get('pragma integrity_check'));
    expect(check).toEqual({ integrity_check: 'ok' });
  });
});

describeOnSqlite('the writing connection', (open) => {
  it('keeps the file whole, keeps foreign keys, and wipes what it deletes', async () => {
    const db = await open(MIGRATIONS);
    const pragma = (name: string) => db.write((uow) => uow.get(`pragma ${name}`));
    expect(await pragma('journal_mode')).toEqual({ journal_mode: 'wal' });
    expect(await pragma('synchronous')).toEqual({ synchronous: 1 });
    expect(await pragma('foreign_keys')).toEqual({ foreign_keys: 1 });
    expect(await pragma('secure_delete')).toEqual({ secure_delete: 1 });
    expect(await pragma('busy_timeout')).toEqual({ timeout: 0 });
  });
});
