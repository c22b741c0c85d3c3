import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ConstraintError } from './constraint-error.ts';
import type { Database, SqlValue } from './database.ts';
import type { Migration } from './migration.ts';
import { describeOnEachEngine } from './testing.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-values',
    statements: (ddl) => [
      `create table cells (id ${ddl.text} primary key, t ${ddl.text}, i ${ddl.int}, r ${ddl.real}, b ${ddl.bytes}) ${ddl.end}`,
      `create table owners (id ${ddl.text} primary key) ${ddl.end}`,
      `create table things (
        project_id ${ddl.text} not null, id ${ddl.text} not null, size ${ddl.int},
        owner ${ddl.text} references owners (id), label ${ddl.text},
        primary key (project_id, id), constraint things_size check (size > 0)
      ) ${ddl.end}`,
      'create unique index things_label on things (project_id, label) where size > 10',
      'create unique index things_lower on things (lower(label))',
    ],
  },
];

const roundTrip = async (db: Database, column: string, value: SqlValue) => {
  await db.write(async (uow) => {
    await uow.run('delete from cells');
    await uow.run(`insert into cells (id, ${column}) values ('x', ?)`, [value]);
  });
  const row = await db.read((reader) => reader.get<{ v: SqlValue }>(`select ${column} as v from cells`));
  return row?.v;
};

describeOnEachEngine('values', (open) => {
  it('come back as they went in', async () => {
    const db = await open(MIGRATIONS);
    const texts = ['', "it's", 'ünï 漢字 😀', '?', '$1', ' \t\n', '\\x00', 'a'.repeat(100_000)];
    for (const text of texts) expect(await roundTrip(db, 't', text)).toBe(text);
    const integers = [0, 1, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 40, 2 ** 53 - 1, -(2 ** 53) + 1];
    for (const integer of integers) expect(await roundTrip(db, 'i', integer)).toBe(integer);
    for (const real of [0.1, -1.5e-300, 3, 1e15 + 0.5]) {
      expect(await roundTrip(db, 'r', real)).toBe(real);
    }
    for (const column of ['t', 'i', 'r', 'b']) expect(await roundTrip(db, column, null)).toBeNull();
  });

  it('keep every byte, and every well-formed text', async () => {
    const db = await open(MIGRATIONS);
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
        async (bytes, text) => {
          expect(await roundTrip(db, 'b', bytes)).toStrictEqual(new Uint8Array(bytes));
          expect(await roundTrip(db, 't', text)).toBe(text);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('are refused where an engine would change them in silence', async () => {
    const db = await open(MIGRATIONS);
    const refusals: readonly (readonly [string, SqlValue])[] = [
      ['t', 'a\0b'],
      ['t', 'cut \ud83d'],
      ['i', 2 ** 53],
      ['r', Number.NaN],
      ['r', Number.POSITIVE_INFINITY],
    ];
    for (const [column, value] of refusals) {
      await expect(roundTrip(db, column, value)).rejects.toMatchObject({
        code: 'value_not_storable',
        status: 400,
      });
    }
    await expect(roundTrip(db, 'i', true as unknown as SqlValue)).rejects.toThrow('boolean');
    await expect(roundTrip(db, 't', undefined as unknown as SqlValue)).rejects.toThrow('undefined');
  });

  it('are refused when the numbers of parameters and values differ', async () => {
    const db = await open(MIGRATIONS);
    await expect(db.read((reader) => reader.all('select id from cells where id = ?'))).rejects.toThrow(
      '0 values for 1',
    );
    await expect(db.read((reader) => reader.all('select id from cells', ['x']))).rejects.toThrow(
      '1 values for 0',
    );
  });

  it('throw when a stored integer is not exact in JavaScript', async () => {
    const db = await open(MIGRATIONS);
    await db.write((uow) => uow.run("insert into cells (id, i) values ('x', 9007199254740993)"));
    const message = 'The stored integer 9007199254740993 is too large';
    await expect(db.read((reader) => reader.all('select i from cells'))).rejects.toThrow(message);
    await expect(db.read((reader) => reader.get('select i from cells'))).rejects.toThrow(message);
    await expect(db.write((uow) => uow.all('select i from cells'))).rejects.toThrow(message);
    expect(await db.read((reader) => reader.all('select id from cells'))).toEqual([{ id: 'x' }]);
  });

  it('are computed alike: counts, sums, comparisons, divisions, byte order', async () => {
    const db = await open(MIGRATIONS);
    const ids = ['b', 'B', 'a', 'ä', 'Z', '_', 'z', '~', '\uffee', '😀'];
    await db.write(async (uow) => {
      for (const [index, id] of ids.entries()) {
        await uow.run('insert into cells (id, i) values (?, ?)', [id, 2 ** 40 + index]);
      }
    });
    const row = await db.read((reader) =>
      reader.get(
        'select count(*) as n, sum(i) as total, max(i) as top, sum(i) > 5 as much, avg(1.0 * (i - ?)) as mean from cells',
        [2 ** 40],
      ),
    );
    expect(row).toEqual({ n: 10, total: 10 * 2 ** 40 + 45, top: 2 ** 40 + 9, much: 1, mean: 4.5 });
    const half = await db.read((reader) =>
      reader.get('select i / ? as h from cells where id = ?', [2 ** 33, 'B']),
    );
    expect(half).toEqual({ h: 128 });
    const sorted = await db.read((reader) => reader.all<{ id: string }>('select id from cells order by id'));
    const byBytes = [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(sorted.map(({ id }) => id)).toEqual(byBytes);
  });

  it('take a question mark inside quotes and comments for what it is', async () => {
    const db = await open(MIGRATIONS);
    const row = await db.read((reader) =>
      reader.get(`select 'why?' as "a?" /* ? */, cast(? as text) as b -- ?`, ['x']),
    );
    expect(row).toEqual({ 'a?': 'why?', b: 'x' });
  });
});

describeOnEachEngine('a broken constraint', (open) => {
  const insert = (db: Database, cells: Record<string, SqlValue>) =>
    db.write((uow) => {
      const names = Object.keys(cells);
      const marks = names.map(() => '?').join(', ');
      return uow.run(`insert into things (${names.join(', ')}) values (${marks})`, Object.values(cells));
    });
  const brokenBy = async (db: Database, cells: Record<string, SqlValue>) => {
    const error = await insert(db, cells).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ConstraintError);
    return error as ConstraintError;
  };

  it('is told by its kind, and by table and columns or by name', async () => {
    const db = await open(MIGRATIONS);
    await insert(db, { project_id: 'p', id: '1', size: 20, label: 'one' });

    const key = await brokenBy(db, { project_id: 'p', id: '1' });
    expect(key).toMatchObject({ kind: 'unique', table: 'things', columns: ['project_id', 'id'] });
    expect(key.isUnique('things', 'project_id', 'id')).toBe(true);
    expect(key.isUnique('things', 'project_id')).toBe(false);
    expect(key.isUnique('cells', 'project_id', 'id')).toBe(false);

    const expression = await brokenBy(db, { project_id: 'q', id: '2', label: 'ONE' });
    expect(expression).toMatchObject({ kind: 'unique', columns: [], constraint: 'things_lower' });

    const partial = await brokenBy(db, { project_id: 'p', id: '3', size: 30, label: 'one' });
    expect(partial.kind).toBe('unique');

    const missing = await brokenBy(db, { project_id: 'p' });
    expect(missing).toMatchObject({ kind: 'notnull', table: 'things', columns: ['id'] });

    const check = await brokenBy(db, { project_id: 'p', id: '4', size: -1 });
    expect(check).toMatchObject({ kind: 'check', constraint: 'things_size' });

    const foreign = await brokenBy(db, { project_id: 'p', id: '5', owner: 'nobody' });
    expect(foreign.kind).toBe('foreign');
    expect(foreign.cause).toBeInstanceOf(Error);
  });

  it('may be turned into an error of the room by the work', async () => {
    const db = await open(MIGRATIONS);
    await insert(db, { project_id: 'p', id: '1' });
    const unit = db.write(async (uow) => {
      try {
        await uow.run("insert into things (project_id, id) values ('p', '1')");
      } catch (error) {
        if (error instanceof ConstraintError && error.isUnique('things', 'project_id', 'id'))
          throw new Error('taken');
        throw error;
      }
    });
    await expect(unit).rejects.toThrow('taken');
  });

  it('can be avoided with on conflict', async () => {
    const db = await open(MIGRATIONS);
    const put = (size: number) =>
      db.write((uow) =>
        uow.run(
          `insert into things (project_id, id, size) values ('p', '1', ?)
           on conflict (project_id, id) do update set size = excluded.size`,
          [size],
        ),
      );
    expect([await put(1), await put(2)]).toEqual([1, 1]);
    const skipped = await db.write((uow) =>
      uow.run("insert into things (project_id, id) values ('p', '1') on conflict do nothing"),
    );
    expect(skipped).toBe(0);
    expect(await db.read((reader) => reader.all('select size from things'))).toEqual([{ size: 2 }]);
  });
});
