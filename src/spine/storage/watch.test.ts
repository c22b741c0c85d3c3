import { expect, it } from 'vitest';
import { describeOnEachEngine, insertNote, NOTES } from './testing.ts';
import { assignedColumns, type RowChange, type WatchedTable, watchedStatement } from './watch.ts';

const notes: WatchedTable = { name: 'notes', columns: ['id', 'n'], silent: new Set(['n']) };
const tables = new Map([['notes', notes]]);

it('reads which columns an update assigns, whatever stands on the right', () => {
  expect(
    assignedColumns('update t set a = ?, b = coalesce(?, c, d), e = (select x, y from z) where f = 1'),
  ).toEqual(['a', 'b', 'e']);
  expect(assignedColumns("update t set a = 'x, where = 1', b = b + 1 from (values (1)) as v (b)")).toEqual([
    'a',
    'b',
  ]);
});

it('leaves what is not watched as it is', () => {
  for (const sql of [
    'select * from notes',
    'insert into other (id) values (?)',
    'update notes set n = ? where id = ?',
  ]) {
    expect(watchedStatement(sql, tables)).toBeUndefined();
  }
});

it('refuses a change that it could not see', () => {
  for (const sql of [
    'with gone as (delete from notes returning id) select * from gone',
    'insert or replace into notes (id, n) values (?, ?)',
    'replace into notes (id, n) values (?, ?)',
  ]) {
    expect(() => watchedStatement(sql, tables)).toThrow('cannot be recorded');
  }
});

describeOnEachEngine('a store that is watched', (open) => {
  async function watched() {
    const db = await open(NOTES);
    const commits: (readonly RowChange[])[] = [];
    db.watch({
      tables,
      record: async (_, changes) => {
        commits.push(changes);
      },
    });
    const seen = () =>
      commits.flat().map(({ cells, gone }) => (gone ? `-${cells.join()}` : `+${cells.join()}`));
    return { db, commits, seen };
  }

  it('hands over every row that was inserted, changed or deleted, by one statement or many', async () => {
    const { db, seen } = await watched();
    await db.write(async (uow) => {
      await insertNote(uow, 'a', 1);
      expect(await uow.run('insert into notes (id, n) values (?, ?), (?, ?)', ['b', 2, 'c', 3])).toBe(2);
      expect(await uow.run("update notes set id = id || '!' where n > ?", [1])).toBe(2);
      expect(await uow.run("insert into notes (id, n) values ('a', 5) on conflict do nothing")).toBe(0);
      expect(
        await uow.get(
          "insert into notes (id, n) values ('a', 5) on conflict (id) do update set n = excluded.n returning n",
        ),
      ).toEqual({ n: 5 });
      expect(await uow.all("delete from notes where id like '%!' returning id as name, n")).toHaveLength(2);
    });
    expect([...seen().slice(0, 3), ...seen().slice(3, 5).sort(), ...seen().slice(5).sort()]).toEqual([
      '+a,1',
      '+b,2',
      '+c,3',
      '+b!,2',
      '+c!,3',
      '+a,5',
      '-b!,2',
      '-c!,3',
    ]);
  });

  it('returns what the statement itself asks for and nothing else', async () => {
    const { db } = await watched();
    const row = await db.write((uow) =>
      uow.get("insert into notes (id, n) values ('a', 1) returning n, id as name"),
    );
    expect(row).toEqual({ n: 1, name: 'a' });
  });

  it('says nothing of a unit that failed, and all of its neighbours in the same commit', async () => {
    const { db, seen } = await watched();
    const units = ['a', 'b', 'c'].map((id) =>
      db.write(async (uow) => {
        await insertNote(uow, id);
        if (id === 'b') throw new Error('no');
      }),
    );
    await Promise.allSettled(units);
    expect(seen().sort()).toEqual(['+a,0', '+c,0']);
  });

  it('records what was left to the commit too, and fails with what cannot be recorded', async () => {
    const db = await open(NOTES);
    const later = {
      apply: async (uow: Parameters<typeof insertNote>[0], ids: readonly string[]) => {
        for (const id of ids) await insertNote(uow, id);
      },
    };
    let refuse = false;
    const seen: string[] = [];
    db.watch({
      tables,
      record: async (_, changes) => {
        if (refuse) throw new Error('no record, no change');
        seen.push(...changes.map(({ cells }) => String(cells[0])));
      },
    });
    await db.write(async (uow) => uow.gather(later, 'late'));
    expect(seen).toEqual(['late']);
    refuse = true;
    await expect(db.write((uow) => insertNote(uow, 'x'))).rejects.toThrow('no record');
    expect(await db.read((reader) => reader.all("select id from notes where id = 'x'"))).toEqual([]);
  });
});
