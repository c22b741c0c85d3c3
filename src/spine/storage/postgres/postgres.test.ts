import pg from 'pg';
import { expect, it, vi } from 'vitest';
import type { Database, UnitOfWork } from '../database.ts';
import type { Migration } from '../migration.ts';
import { openDatabase } from '../open.ts';
import { describeOnPostgres, type OpenForTest } from '../testing.ts';
import { startProxy } from './testing-proxy.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-notes',
    statements: (ddl) => [
      `create table notes (id ${ddl.text} primary key, n ${ddl.int} not null default 0) ${ddl.end}`,
    ],
  },
];

const add = (uow: UnitOfWork, id: string) => uow.run('insert into notes (id) values (?)', [id]);
const ids = async (db: Database) =>
  (await db.read((reader) => reader.all<{ id: string }>('select id from notes order by id'))).map(
    ({ id }) => id,
  );

function barrier(parties: number): () => Promise<void> {
  let open: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let here = 0;
  return async () => {
    if (++here === parties) open();
    await opened;
  };
}

async function endConnectionsOf(open: OpenForTest, db: Database): Promise<number> {
  const url = new URL(open.urlOf(db));
  const schema = url.searchParams.get('schema');
  url.searchParams.delete('schema');
  const client = new pg.Client(url.href);
  await client.connect();
  const { rows } = await client.query(
    `select count(pg_terminate_backend(pid)) as ended from pg_stat_activity
     where application_name = $1 and pid <> pg_backend_pid()`,
    [`baton ${schema}`],
  );
  await client.end();
  return Number(rows[0]?.ended);
}

describeOnPostgres('work that meets a conflict', (open) => {
  it('is run again after a deadlock, until both units are through', async () => {
    const db = await open(MIGRATIONS, { lanes: 3 });
    await db.write(async (uow) => {
      await add(uow, 'a');
      await add(uow, 'b');
    });
    const meet = barrier(2);
    let runs = 0;
    const raiseBoth = (first: string, second: string) =>
      db.write(async (uow) => {
        runs++;
        await uow.run('update notes set n = n + 1 where id = ?', [first]);
        await meet();
        await uow.run('update notes set n = n + 1 where id = ?', [second]);
      });
    await Promise.all([raiseBoth('a', 'b'), raiseBoth('b', 'a')]);
    // One of them at least; both, where both stopped waiting at the same time.
    expect(runs).toBeGreaterThan(2);
    expect(await db.read((reader) => reader.all('select n from notes'))).toEqual([{ n: 2 }, { n: 2 }]);
  });

  it('is run again when another unit took the key first, and may find another answer', async () => {
    const db = await open(MIGRATIONS, { lanes: 3 });
    const meet = barrier(2);
    const ensure = () =>
      db.write(async (uow) => {
        const found = await uow.get('select id from notes where id = ?', ['a']);
        await meet();
        if (found !== undefined) return 'found';
        await add(uow, 'a');
        return 'made';
      });
    expect((await Promise.all([ensure(), ensure()])).sort()).toEqual(['found', 'made']);
  });

  it('is run again five times at most, with fresh memos, and no effect of the runs that failed', async () => {
    const db = await open(MIGRATIONS);
    await db.write((uow) => add(uow, 'a'));
    const key = Symbol('runs');
    let runs = 0;
    let effects = 0;
    const unit = db.write(async (uow) => {
      runs++;
      uow.memo<number[]>(key, () => []).push(1);
      expect(uow.memo<number[]>(key, () => [])).toEqual([1]);
      uow.afterCommit(() => effects++);
      await add(uow, 'a');
    });
    await expect(unit).rejects.toMatchObject({
      name: 'ConstraintError',
      kind: 'unique',
      constraint: 'notes_pkey',
    });
    expect([runs, effects]).toEqual([6, 0]);
  });

  it('is not run again for its own errors or for other constraints', async () => {
    const db = await open(MIGRATIONS);
    let runs = 0;
    const unit = db.write(async (uow) => {
      runs++;
      await uow.run("insert into notes (id, n) values ('a', null)");
    });
    await expect(unit).rejects.toMatchObject({ kind: 'notnull' });
    expect(runs).toBe(1);
  });
});

describeOnPostgres('a lock', (open) => {
  it('holds back units that name one of its keys, in whatever order, and no others', async () => {
    const db = await open(MIGRATIONS, { lanes: 3 });
    const order: string[] = [];
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const locked = barrier(2);
    const holder = db.write(async (uow) => {
      await uow.lock('x', 'y');
      await locked();
      await held;
      order.push('holder');
    });
    await locked();
    const waiter = db.write(async (uow) => {
      await uow.lock('z', 'y');
      order.push('waiter');
    });
    await db.write(async (uow) => {
      await uow.lock('z2');
      order.push('other');
    });
    release?.();
    await Promise.all([holder, waiter]);
    expect(order).toEqual(['other', 'holder', 'waiter']);
  });

  it('taken by many units over the same keys in any order never deadlocks', async () => {
    const db = await open(MIGRATIONS);
    let runs = 0;
    const keys = ['a', 'b', 'c', 'd'];
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        db.write(async (uow) => {
          runs++;
          await uow.lock(...keys.slice(index % 4), ...keys.slice(0, index % 4), keys[index % 4] as string);
        }),
      ),
    );
    expect(runs).toBe(40);
  });

  it('that another process holds keeps only those waiting who want it', async () => {
    const db = await open(MIGRATIONS);
    const other = await open(MIGRATIONS, { beside: db });
    const locked = barrier(2);
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holder = other.write(async (uow) => {
      await uow.lock('x');
      await locked();
      await held;
      await add(uow, 'held');
    });
    await locked();
    const [before, waiter, after] = [
      db.write((uow) => add(uow, 'before')),
      db.write(async (uow) => {
        await uow.lock('x');
        const seen = await uow.get<{ id: string }>("select id from notes where id = 'held'");
        await add(uow, `after ${seen?.id}`);
      }),
      db.write((uow) => add(uow, 'after')),
    ];
    await Promise.all([before, after]);
    release?.();
    await Promise.all([holder, waiter]);
    expect((await ids(db)).sort()).toEqual(['after', 'after held', 'before', 'held']);
  });

  it('that work apart waits for makes nobody else run again', async () => {
    const db = await open(MIGRATIONS);
    const other = await open(MIGRATIONS, { beside: db });
    await db.write((uow) => add(uow, 'a'));
    const locked = barrier(2);
    const done = barrier(2);
    const holder = other.write(async (uow) => {
      await uow.run("update notes set n = 1 where id = 'a'");
      await locked();
      await done();
    });
    await locked();
    let runs = 0;
    const apart = db.write((uow) => uow.run("update notes set n = n + 1 where id = 'a'"), { apart: true });
    await Promise.all(
      ['b', 'c', 'd'].map((id) =>
        db.write(async (uow) => {
          runs++;
          await add(uow, id);
        }),
      ),
    );
    await done();
    await Promise.all([holder, apart]);
    expect(runs).toBe(3);
    const row = await db.read((reader) => reader.get("select n from notes where id = 'a'"));
    expect(row).toEqual({ n: 2 });
  });

  it('does not hold back another schema of the same database', async () => {
    const [one, two] = [await open(MIGRATIONS), await open(MIGRATIONS)];
    await one.write(async (uow) => {
      await uow.lock('same');
      await two.write((other) => other.lock('same'));
    });
  });
});

describeOnPostgres('a lost connection', (open) => {
  it('is replaced, and what was under way is run again, since nothing of it was committed', async () => {
    const db = await open(MIGRATIONS);
    let cuts = 1;
    const units = ['a', 'b', 'c'].map((id) =>
      db.write(async (uow) => {
        await add(uow, id);
        if (id === 'b' && cuts-- > 0) expect(await endConnectionsOf(open, db)).toBeGreaterThan(0);
        await add(uow, `${id}2`);
      }),
    );
    await Promise.all(units);
    expect(await ids(db)).toEqual(['a', 'a2', 'b', 'b2', 'c', 'c2']);
  });

  it('is replaced under a read, which begins anew', async () => {
    const db = await open(MIGRATIONS);
    await db.write((uow) => add(uow, 'a'));
    let cuts = 1;
    const seen = await db.read(async (reader) => {
      const before = await reader.all<{ id: string }>('select id from notes');
      if (cuts-- > 0) await endConnectionsOf(open, db);
      return [...before, ...(await reader.all<{ id: string }>('select id from notes'))];
    });
    expect(seen).toEqual([{ id: 'a' }, { id: 'a' }]);
  });

  it('that is lost again and again fails what was under way with storage_unavailable', async () => {
    const db = await open(MIGRATIONS);
    let runs = 0;
    const cut = db.write(async (uow) => {
      runs += 1;
      await add(uow, 'a');
      expect(await endConnectionsOf(open, db)).toBeGreaterThan(0);
      await add(uow, 'b');
    });
    await expect(cut).rejects.toMatchObject({
      code: 'storage_unavailable',
      status: 503,
      cause: expect.any(Error),
    });
    expect(runs).toBe(6);
    const cutRead = db.read(async (reader) => {
      await endConnectionsOf(open, db);
      await reader.all('select id from notes');
    });
    await expect(cutRead).rejects.toMatchObject({ code: 'storage_unavailable' });
    await db.write((uow) => add(uow, 'c'));
    expect(await ids(db)).toEqual(['c']);
  });

  it('of a process that was frozen inside a transaction ends, and its unit is run again', async () => {
    const db = await open(MIGRATIONS);
    let runs = 0;
    await db.write(async (uow) => {
      runs += 1;
      await add(uow, 'a');
      if (runs > 1) return;
      await uow.run('set local idle_in_transaction_session_timeout = 20');
      // As long as nothing runs here, nothing is read from the server either.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      await add(uow, 'b');
    });
    expect(runs).toBe(2);
    expect(await ids(db)).toEqual(['a']);
  });

  it('is not noticed by units that come after an idle connection broke', async () => {
    const db = await open(MIGRATIONS);
    await Promise.all(['a', 'b', 'c'].map((id) => db.write((uow) => add(uow, id))));
    await endConnectionsOf(open, db);
    await Promise.all(['d', 'e', 'f'].map((id) => db.write((uow) => add(uow, id))));
    expect(await ids(db)).toHaveLength(6);
  });

  it('does not stop a listener for good', async () => {
    const db = await open(MIGRATIONS);
    const other = await open(MIGRATIONS, { beside: db });
    let seen: string[] = [];
    const stop = db.onCommit(() => {
      ids(db).then(
        (now) => {
          seen = now;
        },
        () => undefined,
      );
    });
    await other.write((uow) => add(uow, 'a'));
    await expect.poll(() => seen).toEqual(['a']);
    await endConnectionsOf(open, db);
    await vi.waitFor(() => other.write((uow) => add(uow, 'b')), 120_000);
    await expect.poll(() => seen).toEqual(['a', 'b']);
    await other.write((uow) => add(uow, 'c'));
    await expect.poll(() => seen).toEqual(['a', 'b', 'c']);
    stop();
  });
});

describeOnPostgres('a server that goes away', (open) => {
  it('gives storage_unavailable until it is back', async () => {
    const direct = await open(MIGRATIONS);
    const proxy = await startProxy(open.urlOf(direct));
    const db = await openDatabase(proxy.url, { strictUnits: true });
    try {
      await db.write((uow) => add(uow, 'a'));
      await proxy.cut();
      await expect(db.write((uow) => add(uow, 'b'))).rejects.toMatchObject({ code: 'storage_unavailable' });
      await expect(ids(db)).rejects.toMatchObject({ code: 'storage_unavailable' });
      expect(await db.health()).toMatchObject({ status: 'fail' });
      await expect(openDatabase(proxy.url)).rejects.toMatchObject({ code: 'storage_unavailable' });
      await proxy.mend();
      await db.write((uow) => add(uow, 'c'));
      expect(await ids(db)).toEqual(['a', 'c']);
      expect(await db.health()).toMatchObject({ status: 'pass' });
    } finally {
      await db.close();
      await proxy.cut();
    }
  });

  it('says that the outcome is unknown when it goes during the commit', async () => {
    const direct = await open(MIGRATIONS);
    const proxy = await startProxy(open.urlOf(direct));
    let cutting = false;
    const db = await openDatabase(proxy.url, {
      faults: (point) => {
        if (cutting && point === 'before.commit') proxy.cutNow();
      },
    });
    try {
      await db.write((uow) => add(uow, 'a'));
      cutting = true;
      await expect(db.write((uow) => add(uow, 'b'))).rejects.toMatchObject({
        code: 'storage_unavailable',
        details: { outcome: 'unknown' },
      });
    } finally {
      await db.close();
      await proxy.cut();
    }
  });
});

describeOnPostgres('the settings of a PostgreSQL store', (open) => {
  it('take no schema name that would need quotes', async () => {
    const url = open.urlOf(await open([]));
    await expect(openDatabase(url, { schema: 'a"; drop' })).rejects.toMatchObject({
      code: 'storage_unsupported',
    });
  });

  it('refuse a server that a power failure would take commits from, unless that is said to be meant', async () => {
    const url = new URL(open.urlOf(await open([])));
    const meant = url.searchParams.get('fsync') === 'off';
    url.searchParams.delete('fsync');
    const opening = openDatabase(url.href).then((db) => db.close());
    // A server that somebody gave the tests may well be durable.
    if (!meant) return opening;
    await expect(opening).rejects.toMatchObject({
      code: 'storage_unsupported',
      message: expect.stringContaining('fsync = off'),
    });
  });

  it('refuse a server that acknowledges before it is durable', async () => {
    const url = new URL(open.urlOf(await open([])));
    url.searchParams.set('options', '-c synchronous_commit=off');
    url.searchParams.delete('schema');
    await expect(openDatabase(url.href)).rejects.toMatchObject({
      code: 'storage_unsupported',
      message: expect.stringContaining('synchronous_commit'),
    });
  });
});
