import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Database, UnitOfWork } from './database.ts';
import type { Migration } from './migration.ts';
import { describeOnEachEngine } from './testing.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-notes',
    statements: (ddl) => [
      `create table notes (id ${ddl.text} primary key, n ${ddl.int} not null) ${ddl.end}`,
      `create table counters (name ${ddl.text} primary key, value ${ddl.int} not null) ${ddl.end}`,
    ],
  },
];

const insertNote = (uow: UnitOfWork, id: string, n = 0) =>
  uow.run('insert into notes (id, n) values (?, ?)', [id, n]);

const noteIds = async (db: Database) =>
  (await db.read((reader) => reader.all<{ id: string }>('select id from notes order by id'))).map(
    ({ id }) => id,
  );

describeOnEachEngine('a unit of work', (open) => {
  it('answers with what its work returned, and is there for the next read', async () => {
    const db = await open(MIGRATIONS);
    const answer = await db.write(async (uow) => {
      await insertNote(uow, 'a');
      return 'done';
    });
    expect(answer).toBe('done');
    expect(await noteIds(db)).toEqual(['a']);
  });

  it('sees its own changes and counts the rows it changed', async () => {
    const db = await open(MIGRATIONS);
    await db.write(async (uow) => {
      await insertNote(uow, 'a');
      await insertNote(uow, 'b');
      expect(await uow.all('select id from notes order by id')).toEqual([{ id: 'a' }, { id: 'b' }]);
      expect(await uow.run('update notes set n = n + 1')).toBe(2);
      expect(await uow.run('delete from notes where id = ?', ['none'])).toBe(0);
      expect(await uow.get('select n from notes where id = ?', ['none'])).toBeUndefined();
    });
  });

  it('leaves nothing behind when its work throws, and gives that very error', async () => {
    const db = await open(MIGRATIONS);
    const error = new Error('changed my mind');
    const unit = db.write(async (uow) => {
      await insertNote(uow, 'a');
      throw error;
    });
    await expect(unit).rejects.toBe(error);
    expect(await noteIds(db)).toEqual([]);
  });

  it('does not harm the units it was committed with when it fails', async () => {
    const db = await open(MIGRATIONS);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        db.write(async (uow) => {
          await insertNote(uow, `note-${String(index).padStart(2, '0')}`);
          if (index % 3 === 0) throw new Error('no');
          if (index % 3 === 1) await insertNote(uow, `extra-${String(index).padStart(2, '0')}`);
        }),
      ),
    );
    const kept = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
    expect(kept).toEqual(Array.from({ length: 40 }, (_, index) => index).filter((index) => index % 3 !== 0));
    const expected = kept.flatMap((index) => {
      const number = String(index).padStart(2, '0');
      return index % 3 === 1 ? [`note-${number}`, `extra-${number}`] : [`note-${number}`];
    });
    expect(await noteIds(db)).toEqual(expected.sort());
  });

  it('is lost with the statement that failed, even when its work catches the error', async () => {
    const db = await open(MIGRATIONS);
    await db.write((uow) => insertNote(uow, 'a'));
    const unit = db.write(async (uow) => {
      await insertNote(uow, 'b');
      await insertNote(uow, 'a').catch(() => undefined);
      return 'fine';
    });
    await expect(unit).rejects.toMatchObject({ name: 'ConstraintError', kind: 'unique' });
    expect(await noteIds(db)).toEqual(['a']);
  });

  it('refuses statements after it has ended', async () => {
    const db = await open(MIGRATIONS);
    let kept: UnitOfWork | undefined;
    await db.write(async (uow) => {
      kept = uow;
    });
    await expect(insertNote(kept as UnitOfWork, 'late')).rejects.toThrow('ended');
    expect(await noteIds(db)).toEqual([]);
  });

  it('keeps one memo for each key and run', async () => {
    const db = await open(MIGRATIONS);
    const key = Symbol('buffer');
    const first = await db.write(async (uow) => {
      uow.memo<string[]>(key, () => []).push('x');
      return uow.memo<string[]>(key, () => []);
    });
    const second = await db.write(async (uow) => uow.memo<string[]>(key, () => []));
    expect(first).toEqual(['x']);
    expect(second).toEqual([]);
  });

  it('refuses a second lock, because two units that lock in turns can wait for each other', async () => {
    const db = await open(MIGRATIONS);
    const unit = db.write(async (uow) => {
      await uow.lock('a');
      await uow.lock('b');
    });
    await expect(unit).rejects.toThrow('lock twice');
  });

  it('counts exactly when 64 writers raise one counter under its lock', async () => {
    const db = await open(MIGRATIONS);
    await db.write((uow) => uow.run("insert into counters (name, value) values ('c', 0)"));
    const raise = () =>
      db.write(async (uow) => {
        await uow.lock('counter/c');
        const row = await uow.get<{ value: number }>("select value from counters where name = 'c'");
        await uow.run("update counters set value = ? where name = 'c'", [(row?.value ?? 0) + 1]);
      });
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        for (let time = 0; time < 4; time++) await raise();
      }),
    );
    expect(await db.read((reader) => reader.get('select value from counters'))).toEqual({ value: 256 });
  });
});

describeOnEachEngine('steps before the commit', (open) => {
  it('run inside the transaction, in order, with the steps they add', async () => {
    const db = await open(MIGRATIONS);
    const order: string[] = [];
    await db.write(async (uow) => {
      uow.beforeCommit(async () => {
        order.push('first');
        await insertNote(uow, 'step');
        uow.beforeCommit(async () => {
          order.push('added');
        });
      });
      uow.beforeCommit(async () => {
        order.push('second');
      });
      await insertNote(uow, 'work');
      order.push('work');
    });
    expect(order).toEqual(['work', 'first', 'second', 'added']);
    expect(await noteIds(db)).toEqual(['step', 'work']);
  });

  it('take the whole unit with them when they fail', async () => {
    const db = await open(MIGRATIONS);
    const unit = db.write(async (uow) => {
      await insertNote(uow, 'work');
      uow.beforeCommit(async () => {
        throw new Error('the step failed');
      });
    });
    await expect(unit).rejects.toThrow('the step failed');
    expect(await noteIds(db)).toEqual([]);
  });
});

describeOnEachEngine('effects after the commit', (open) => {
  it('find the change durable for another handle', async () => {
    const db = await open(MIGRATIONS);
    const other = await open(MIGRATIONS, { beside: db });
    let seen: Promise<string[]> | undefined;
    await db.write(async (uow) => {
      uow.afterCommit(() => {
        seen = noteIds(other);
      });
      await insertNote(uow, 'a');
    });
    expect(await seen).toEqual(['a']);
  });

  it('do not run when the unit or its commit fails', async () => {
    let failing = false;
    const db = await open(MIGRATIONS, {
      faults: (point) => {
        if (failing && point === 'before.commit') throw new Error('the disk is gone');
      },
    });
    let effects = 0;
    const count = (uow: UnitOfWork) => uow.afterCommit(() => effects++);
    const thrown = db.write(async (uow) => {
      count(uow);
      throw new Error('no');
    });
    await expect(thrown).rejects.toThrow('no');
    failing = true;
    const lost = db.write(async (uow) => {
      count(uow);
      await insertNote(uow, 'a');
    });
    await expect(lost).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(effects).toBe(0);
  });

  it('cannot fail the unit', async () => {
    const stray: unknown[] = [];
    const db = await open(MIGRATIONS, { onStrayError: (error) => stray.push(error) });
    await db.write(async (uow) => {
      uow.afterCommit(() => {
        throw new Error('too late');
      });
      await insertNote(uow, 'a');
    });
    expect(await noteIds(db)).toEqual(['a']);
    expect(stray).toMatchObject([{ message: 'too late' }]);
  });
});

describeOnEachEngine('a read', (open) => {
  it('sees one state from its first statement to its last', async () => {
    const db = await open(MIGRATIONS);
    await db.write((uow) => insertNote(uow, 'a'));
    await db.read(async (reader) => {
      expect(await reader.all('select id from notes')).toEqual([{ id: 'a' }]);
      await db.write((uow) => insertNote(uow, 'b'));
      expect(await reader.all('select id from notes')).toEqual([{ id: 'a' }]);
    });
    expect(await noteIds(db)).toEqual(['a', 'b']);
  });

  it('cannot change anything', async () => {
    const db = await open(MIGRATIONS);
    const read = db.read((reader) => reader.all("insert into notes (id, n) values ('x', 1) returning id"));
    await expect(read).rejects.toThrow();
    expect(await noteIds(db)).toEqual([]);
  });

  it('gives the error of its work and is followed by further reads', async () => {
    const db = await open(MIGRATIONS);
    for (let time = 0; time < 20; time++) {
      const read = db.read(async () => {
        throw new Error('not found');
      });
      await expect(read).rejects.toThrow('not found');
    }
    await expect(db.read((reader) => reader.all('select nonsense'))).rejects.toThrow('nonsense');
    expect(await noteIds(db)).toEqual([]);
  });

  it('is over with a statement that failed, even when its work catches the error', async () => {
    const db = await open(MIGRATIONS);
    const read = db.read(async (reader) => {
      await reader.all('select nonsense').catch(() => undefined);
      return reader.all('select id from notes');
    });
    await expect(read).rejects.toThrow('nonsense');
  });

  it('may run many times at once', async () => {
    const db = await open(MIGRATIONS);
    await db.write((uow) => insertNote(uow, 'a'));
    const reads = Array.from({ length: 100 }, () =>
      db.read(async (reader) => {
        await sleep(1);
        return reader.get('select id from notes');
      }),
    );
    expect(new Set((await Promise.all(reads)).map((row) => JSON.stringify(row)))).toEqual(
      new Set(['{"id":"a"}']),
    );
  });
});

describeOnEachEngine('a store whose transaction is lost', (open) => {
  for (const point of ['begin', 'unit.start', 'unit.released', 'before.commit'] as const) {
    it(`fails the units at "${point}", keeps nothing of them, and takes the next`, async () => {
      let failing = false;
      const db = await open(MIGRATIONS, {
        faults: (at) => {
          if (failing && at === point) throw new Error('the disk is gone');
        },
      });
      failing = true;
      const lost = await Promise.allSettled(
        ['a', 'b', 'c'].map((id) => db.write((uow) => insertNote(uow, id))),
      );
      failing = false;
      for (const outcome of lost) {
        expect(outcome).toMatchObject({
          status: 'rejected',
          reason: { code: 'storage_unavailable', status: 503, cause: { message: 'the disk is gone' } },
        });
      }
      expect(await noteIds(db)).toEqual([]);
      await db.write((uow) => insertNote(uow, 'd'));
      expect(await noteIds(db)).toEqual(['d']);
      expect(await db.health()).toMatchObject({ status: 'pass' });
    });
  }
});

describeOnEachEngine('health', (open) => {
  it('names the engine and its version', async () => {
    const db = await open(MIGRATIONS);
    expect(await db.health()).toEqual({
      status: 'pass',
      engine: open.engine,
      version: expect.stringMatching(/^\d+\./),
    });
  });

  it('fails once the store is closed', async () => {
    const db = await open(MIGRATIONS);
    await db.close();
    expect(await db.health()).toMatchObject({ status: 'fail' });
  });
});

describeOnEachEngine('closing', (open) => {
  it('waits for what was asked before it and refuses what comes after', async () => {
    const db = await open(MIGRATIONS);
    const writes = Array.from({ length: 30 }, (_, index) => db.write((uow) => insertNote(uow, `n${index}`)));
    const read = db.read(async (reader) => {
      await sleep(5);
      return reader.all('select count(*) as n from notes');
    });
    await db.close();
    await expect(Promise.all([...writes, read])).resolves.toHaveLength(31);
    await expect(db.write((uow) => insertNote(uow, 'late'))).rejects.toMatchObject({
      code: 'storage_closed',
    });
    await expect(noteIds(db)).rejects.toMatchObject({ code: 'storage_closed' });
    await db.close();
    const again = await open(MIGRATIONS, { beside: db });
    expect(await noteIds(again)).toHaveLength(30);
  });
});
