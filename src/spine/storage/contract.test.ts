import { expect, it } from 'vitest';
import type { Gathering, UnitOfWork } from './database.ts';
import { describeOnEachEngineEvenBare, insertNote, NOTES, noteIds } from './testing.ts';

describeOnEachEngineEvenBare('a unit of work', (open) => {
  it('answers with what its work returned, and is there for the next read', async () => {
    const db = await open(NOTES);
    const answer = await db.write(async (uow) => {
      await insertNote(uow, 'a');
      return 'done';
    });
    expect(answer).toBe('done');
    expect(await noteIds(db)).toEqual(['a']);
  });

  it('sees its own changes and counts the rows it changed', async () => {
    const db = await open(NOTES);
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
    const db = await open(NOTES);
    const error = new Error('changed my mind');
    const unit = db.write(async (uow) => {
      await insertNote(uow, 'a');
      throw error;
    });
    await expect(unit).rejects.toBe(error);
    expect(await noteIds(db)).toEqual([]);
  });

  it('does not harm the units it was committed with when it fails', async () => {
    const db = await open(NOTES);
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
    const db = await open(NOTES);
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
    const db = await open(NOTES);
    let kept: UnitOfWork | undefined;
    await db.write(async (uow) => {
      kept = uow;
    });
    await expect(insertNote(kept as UnitOfWork, 'late')).rejects.toThrow('ended');
    expect(await noteIds(db)).toEqual([]);
  });

  it('keeps one memo for each key and run', async () => {
    const db = await open(NOTES);
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
    const db = await open(NOTES);
    const unit = db.write(async (uow) => {
      await uow.lock('a');
      await uow.lock('b');
    });
    await expect(unit).rejects.toThrow('lock twice');
  });

  it('counts exactly when 64 writers raise one counter under its lock', async () => {
    const db = await open(NOTES);
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

describeOnEachEngineEvenBare('steps before the commit', (open) => {
  it('run inside the transaction, in order, with the steps they add', async () => {
    const db = await open(NOTES);
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
    const db = await open(NOTES);
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

describeOnEachEngineEvenBare('work left to the commit', (open) => {
  const keep: Gathering<string> = {
    async apply(uow, items) {
      for (const item of items) await insertNote(uow, item);
    },
  };

  it('is done with the items of every unit that succeeded', async () => {
    const db = await open(NOTES);
    const units = ['a', 'b', 'c'].map((id) =>
      db.write(async (uow) => {
        uow.gather(keep, `${id}1`);
        uow.gather(keep, `${id}2`);
        if (id === 'b') throw new Error('not this one');
      }),
    );
    const outcomes = await Promise.allSettled(units);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await noteIds(db)).toEqual(['a1', 'a2', 'c1', 'c2']);
  });

  it('fails only the unit whose item cannot be applied', async () => {
    const db = await open(NOTES);
    const units = ['a', 'b', 'b', 'c'].map((id) =>
      db.write(async (uow) => {
        await insertNote(uow, `own ${id}${Math.random()}`);
        uow.gather(keep, id);
      }),
    );
    const outcomes = await Promise.allSettled(units);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect((await noteIds(db)).filter((id) => !id.startsWith('own'))).toEqual(['a', 'b', 'c']);
    expect(await noteIds(db)).toHaveLength(6);
  });

  it('is known before it is done, but not what a unit that failed has left', async () => {
    const db = await open(NOTES);
    // Each note counts on from the last, whether that one stands in the store or is still to be written.
    const unit = (fails: boolean) =>
      db.write(async (uow) => {
        await uow.lock('count');
        const left = uow.lastLeft(keep, (id) => id.startsWith('n'));
        const stored = await uow.get<{ id: string }>(`select max(id) as id from notes where id like 'n%'`);
        const next = `n${1 + Number((left ?? stored?.id ?? 'n0').slice(1))}`;
        uow.gather(keep, next);
        uow.gather(keep, `beside ${next}`);
        expect(uow.lastLeft(keep, (id) => id.startsWith('n'))).toBe(next);
        expect(uow.lastLeft(keep, (id) => id === 'nothing')).toBeUndefined();
        if (fails) throw new Error('not this one');
      });
    await Promise.allSettled([false, true, false, false, true, false].map(unit));
    const ids = (await noteIds(db)).filter((id) => id.startsWith('n'));
    expect(ids).toEqual(['n1', 'n2', 'n3', 'n4']);
  });

  it('tells others of the commit, even where a unit did nothing else', async () => {
    const db = await open(NOTES);
    const told = new Promise<void>((resolve) => db.onCommit(resolve));
    await db.write(async (uow) => uow.gather(keep, 'only'));
    await told;
    expect(await noteIds(db)).toEqual(['only']);
  });

  it('cannot leave more', async () => {
    const db = await open(NOTES);
    const endless: Gathering<string> = {
      async apply(uow, items) {
        uow.gather(endless, `${items[0]}!`);
      },
    };
    await expect(db.write(async (uow) => uow.gather(endless, 'a'))).rejects.toThrow('cannot leave more');
  });
});

describeOnEachEngineEvenBare('effects after the commit', (open) => {
  it('find the change durable for another handle', async () => {
    const db = await open(NOTES);
    const other = await open(NOTES, { beside: db });
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
    const db = await open(NOTES, {
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
    const db = await open(NOTES, { onStrayError: (error) => stray.push(error) });
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
