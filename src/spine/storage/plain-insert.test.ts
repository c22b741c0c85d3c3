import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectTableColumns } from './columns.ts';
import type { SqlValue } from './database.ts';
import type { Migration } from './migration.ts';
import { plainInsert } from './plain-insert.ts';
import { describeOnEachEngine } from './testing.ts';
import type { RowChange, WatchedTable } from './watch.ts';

const columns = ['body', 'id', 'mark', 'n', 'r', 'seq'];
/** Without those that the engine makes up or may change: of these it is asked nothing. */
const given = ['body', 'id', 'n'];
const defaulted = ['body', 'id', 'mark', 'n', 'count', 'rest', 'r'];
const kinds = new Map([
  ['body', 'text'],
  ['id', 'text'],
  ['mark', 'text'],
  ['n', 'integer'],
] as const);
const table = { columns, kinds };
const defaults = new Map<string, SqlValue>([
  ['body', null],
  ['mark', "it's"],
  ['n', 3],
  ['r', null],
]);
const ALL = 'insert into things (seq, id, n, r, body, mark) values';

describe('a plain insert', () => {
  it('asks for the columns that the engine fills in, and no others', () => {
    const plain = plainInsert("insert into things (id, n, body) values (?, '7', ?)", table);
    expect(plain?.sql).toBe("insert into things (id, n, body) values (?, '7', ?) returning mark, n, r, seq");
    expect(plain?.cellsOf(['a', 'b'], 0, ['m', 7, 0.5, 1])).toEqual(['b', 'a', 'm', 7, 0.5, 1]);
  });

  it('knows literals and the defaults of the columns that it leaves out', () => {
    const most = { columns: ['body', 'id', 'mark', 'n', 'r'], kinds, defaults };
    const one = plainInsert('insert into things (id, n) values (?, -7)', most);
    expect(one?.sql).toBe('insert into things (id, n) values (?, -7)');
    expect(one?.cellsOf(['a'], 0, [])).toEqual([null, 'a', "it's", -7, null]);
    const two = plainInsert("insert into things (id, mark) values ('b', null), (?, 'm''n')", most);
    expect(two).toMatchObject({ rows: 2, filled: 0 });
    expect(two?.cellsOf(['c'], 0, [])).toEqual([null, 'b', null, 3, null]);
    expect(two?.cellsOf(['c'], 1, [])).toEqual([null, 'c', "m'n", 3, null]);
  });

  it('asks for a number that the engine makes up where it is given none', () => {
    const all = { columns, kinds, defaults };
    const plain = plainInsert('insert into things (seq, id) values (null, ?)', all);
    expect(plain?.sql).toBe('insert into things (seq, id) values (null, ?) returning seq');
    const told = plainInsert('insert into things (seq, id) values (null, ?)', { ...all, numbered: 'seq' });
    expect(told).toMatchObject({
      sql: 'insert into things (seq, id) values (null, ?)',
      filled: 0,
      numbered: true,
    });
    expect(told?.cellsOf(['a'], 0, [9])).toEqual([null, 'a', "it's", 3, null, 9]);
  });

  it('asks for nothing where all is given, for one row or many', () => {
    const known = { columns: ['id', 'n'], kinds };
    const sql = 'insert into things (n, id) values (?, ?), (?, ?)';
    const plain = plainInsert(sql, known);
    expect(plain).toMatchObject({ sql, rows: 2, filled: 0, own: false });
    expect(plain?.cellsOf([1, 'a', 2, 'b'], 1, [])).toEqual(['b', 2]);
    const unless = 'insert into things (n, id) values (?, ?) on conflict (id) do nothing';
    expect(plainInsert(unless, known)?.sql).toBe(unless);
  });

  it('puts what the statement itself asks for behind', () => {
    const plain = plainInsert('insert into things (id, n) values (?, ?) returning seq as number', table);
    expect(plain?.sql).toBe(
      'insert into things (id, n) values (?, ?) returning body, mark, r, seq, seq as number',
    );
  });

  it.each([
    'insert into things (id, n) values (?, ?) on conflict (id) do update set n = excluded.n',
    'insert into things (id, n) values (?, ?), (?, ?)',
    "insert into things (id, n) values (lower(?), ?), ('x', ?)",
    'insert into things (id, n) values (?, ? + 1)',
    'insert into things (id, n) select ?, ?',
    'insert into things (id, id) values (?, ?)',
    'insert into things as t (id, n) values (?, ?)',
    'insert into things (seq) values (?)',
  ])('is not one whose rows only the engine knows: %s', (sql) => {
    expect(plainInsert(sql, table)).toBeUndefined();
  });

  it('takes no value for a column that would store another', () => {
    const plain = plainInsert('insert into things (id, n) values (?, ?)', table);
    expect(plain?.keeps(['a', 1])).toBe(true);
    expect(plain?.keeps([null, null])).toBe(true);
    for (const values of [[1, 1], ['a', '1'], ['a', 1.5], [new Uint8Array(1), 1], ['a']]) {
      expect(plain?.keeps(values)).toBe(false);
    }
  });
});

const THINGS: readonly Migration[] = [
  {
    name: 'test/0001-things',
    statements: ({ serial, text, int, real, end }) => [
      `create table things (seq ${serial}, id ${text} unique, n ${int}, r ${real}, body ${text},
         mark ${text} default 'it''s a \\ mark', count ${int} default -2, rest ${text}) ${end}`,
    ],
  },
];

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map((value) => value.replaceAll('\u0000', '')),
  fc.constantFrom('', '1', ' 1 ', '1e3', '1.0', '-0', 'NaN', '\ufeffbom', 'é', "it's", '\r\n', '"', '\u2028'),
);
const integer = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -3, max: 3 }), fc.constant(-0));
const fraction = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => Number.isSafeInteger(value) || !Number.isInteger(value));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 6 });
/** What fits most often; what does not is given to the engine, which refuses it or makes something else of it. */
const row = fc.record({
  n: fc.oneof({ weight: 20, arbitrary: maybe(integer) }, { weight: 1, arbitrary: fc.oneof(text, fraction) }),
  r: fc.oneof({ weight: 20, arbitrary: maybe(fraction) }, { weight: 1, arbitrary: text }),
  body: fc.oneof(
    { weight: 20, arbitrary: maybe(text) },
    { weight: 1, arbitrary: fc.oneof<fc.Arbitrary<SqlValue>[]>(integer, fc.uint8Array({ maxLength: 4 })) },
  ),
});
const story = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 3 }),
  form: fc.constantFrom('all', 'some', 'unless', 'own', 'literal'),
  number: fc.option(fc.integer({ min: 1_000, max: 2 ** 40 }), { nil: null }),
});
const MARKS: Readonly<Record<string, string>> = {
  all: '(?, ?, ?, ?, ?, ?)',
  literal: "(?, -4, ?, 'it''s \\ it')",
};
const TAILS: Readonly<Record<string, string>> = {
  unless: ' on conflict (id) do nothing',
  own: ' returning id',
};
const RUNS = process.env.BATON_PROVE === '1' ? 5_000 : 80;

describeOnEachEngine('the rows that inserts hand over', (open) => {
  it.each([[columns], [given], [defaulted]])(
    'are those that the store has, whatever the values (%j)',
    async (watched) => {
      const db = await open(THINGS);
      const found = (await db.read(selectTableColumns)).get('things')!;
      const things: WatchedTable = { name: 'things', columns: watched, ...found, silent: new Set() };
      expect([...found.kinds.keys()].filter((column) => !['seq', 'count', 'rest'].includes(column))).toEqual([
        ...kinds.keys(),
      ]);
      expect(Object.fromEntries(found.defaults)).toEqual({
        body: null,
        count: -2,
        id: null,
        mark: "it's a \\ mark",
        n: null,
        r: null,
        rest: null,
      });
      let handed: RowChange[] = [];
      db.watch({
        tables: new Map([['things', things]]),
        record: async (_, changes) => {
          handed = [...changes];
        },
      });
      let ids = 0;
      let [plain, refused] = [0, 0];
      await fc.assert(
        fc.asyncProperty(story, async ({ rows, form, number }) => {
          handed = [];
          const marks = rows.map(() => MARKS[form] ?? '(?, ?, ?, ?)').join(', ');
          const values = rows.flatMap(({ n, r, body }, at): SqlValue[] => {
            if (form === 'literal') return [`i${ids++}`, r];
            const most = [`i${ids++}`, n, r, body];
            if (form !== 'all') return most;
            return [number === null ? ids + 2 ** 41 : number * 10_000 + ids, ...most, at === 0 ? null : 'm'];
          });
          const head = form === 'all' ? ALL : 'insert into things (id, n, r, body) values';
          const sql = `${head} ${marks}${TAILS[form] ?? ''}`;
          if (plainInsert(sql, things)?.keeps(values)) plain += 1;
          try {
            expect(await db.write((uow) => uow.run(sql, values))).toBe(rows.length);
          } catch (error) {
            if (!(error instanceof Error) || error.name === 'AssertionError') throw error;
            refused += 1;
            expect(handed).toEqual([]);
            return;
          }
          const stored = await db.read((reader) =>
            reader.cells(
              `select ${watched.join(', ')} from things where id in (${rows.map(() => '?').join(', ')})`,
              values.filter((value) => typeof value === 'string' && /^i\d+$/.test(value)),
            ),
          );
          const sorted = (cells: readonly (readonly SqlValue[])[]) =>
            cells.map((each) => each.map((cell) => (Object.is(cell, -0) ? 0 : cell))).sort(byId);
          expect(sorted(handed.map(({ cells }) => cells))).toEqual(sorted(stored));
        }),
        { numRuns: RUNS },
      );
      expect(plain).toBeGreaterThan(RUNS / 5);
      expect(plain).toBeLessThan(RUNS);
      expect(refused).toBeLessThan(RUNS / 2);
    },
  );

  it('say nothing of a row that was there already', async () => {
    const db = await open(THINGS);
    const seen: unknown[] = [];
    const found = (await db.read(selectTableColumns)).get('things');
    db.watch({
      tables: new Map([
        ['things', { name: 'things', columns: ['id', 'mark'], ...found, silent: new Set<string>() }],
      ]),
      record: async (_, changes) => {
        seen.push(...changes.map(({ cells }) => cells));
      },
    });
    const sql = 'insert into things (id) values (?) on conflict do nothing';
    expect(await db.write((uow) => uow.run(sql, ['a']))).toBe(1);
    expect(await db.write((uow) => uow.run(sql, ['a']))).toBe(0);
    expect(seen).toEqual([['a', "it's a \\ mark"]]);
  });
});

function byId(one: readonly SqlValue[], other: readonly SqlValue[]): number {
  return String(one[1]) < String(other[1]) ? -1 : 1;
}
