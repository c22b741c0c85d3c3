import { afterAll, beforeAll, expect, it } from 'vitest';
import { derivedTables } from '../../src/app/derived-tables.ts';
import { tables } from '../../src/app/tables.ts';
import type { JournalReport } from '../../src/spine/journal/verify/report.ts';
import { AS_IT_IS } from '../../src/spine/journal/verify/verify-with.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { type AdoptedStore, adoptedStore } from './adopted-store.ts';
import { type Column, columnsOf } from './column-edits.ts';
import { insertNewerRows } from './newer-rows.ts';
import type { StoreCopy, StoreImage } from './store-image.ts';

const PROVE = process.env.BATON_PROVE === '1';
/** Of all edits an ordinary run tries this part. */
const EVERY = PROVE ? 1 : 40;
const TIMEOUT = PROVE ? 1_200_000 : 240_000;

type Kind = Column['type'];

/** What a stranger can write and Baton never does: too large, of another type, broken in itself. */
const VALUES: Readonly<Record<'sqlite' | 'postgres', Readonly<Record<Kind, readonly string[]>>>> = {
  sqlite: {
    int: ['9223372036854775807', '-9007199254740993', "'no number'", "x'00ff'", '1e300', 'null'],
    text: [
      "cast(x'ff' as text)",
      "x'7b'",
      "'{'",
      "'a' || char(0) || 'b'",
      "printf('%.*c', 300000, 'x')",
      'null',
    ],
    real: ['9e999', "'no number'", 'null'],
    bytes: ["'text'", "x''", '9223372036854775807', 'null'],
  },
  postgres: {
    int: ['9223372036854775807', '-9007199254740993', 'null'],
    text: ["'{'", "''", "repeat('x', 300000)", 'null'],
    real: ["'NaN'", "'Infinity'", 'null'],
    bytes: ["''::bytea", 'null'],
  },
};

/** How far something has come, which is believed only where events say the same: verification reads none of it. */
const UNREAD: ReadonlySet<string> = new Set(['state_chains', 'state_adoptions', 'state_rewrites']);

/** Whether a fault names the place; where a journal's own table is edited, any fault will do. */
type Named = (faults: JournalReport['faults']) => boolean;

describeOnEachEngine('values that Baton never writes, in any column', (open) => {
  let store: AdoptedStore;
  let image: StoreImage;
  let whole: StoreCopy;

  beforeAll(async () => {
    store = await adoptedStore(open, {
      fill: insertNewerRows,
      derived: derivedTables,
      options: AS_IT_IS,
    });
    ({ image, whole } = store);
  }, TIMEOUT);
  afterAll(() => store?.remove());

  /** What went wrong: nothing where the engine refuses the value, or the row has it already. */
  async function missed(what: string, sql: string, table: string, named: Named): Promise<string | undefined> {
    const copy = await image.copy();
    try {
      const rows = () => copy.rows(`select * from ${table}`).then(stored, () => 'changed');
      const before = await rows();
      try {
        await copy.change([sql]);
      } catch (error) {
        if (/unique|not null|not-null|null value|cannot store|datatype|index row size/i.test(String(error)))
          return undefined;
        throw error;
      }
      if ((await rows()) === before) return undefined;
      const { valid, faults } = await store.verified(copy.url);
      if (UNREAD.has(table) || (!valid && named(faults))) return undefined;
      return `${what}: ${JSON.stringify(faults.slice(0, 2))}`;
    } catch (error) {
      return `${what}: ${error instanceof Error ? error.stack?.split('\n').slice(0, 6).join(' | ') : error}`;
    } finally {
      await copy.remove();
    }
  }

  it('are faults of their rows, and end no verification', { timeout: TIMEOUT }, async () => {
    expect(await store.verified(whole.url)).toMatchObject({ valid: true, faults: [] });
    const wrong: string[] = [];
    let [at, tried] = [0, 0];
    for (const [table, declared] of Object.entries(tables)) {
      if (declared.proof !== 'state' && declared.proof !== 'journal') continue;
      const volatile = declared.proof === 'state' ? (declared.volatile ?? []) : [];
      const [count] = await whole.rows(`select count(*) as rows from ${table}`);
      if (Number(count?.rows) === 0) continue;
      for (const column of await columnsOf(open.engine, whole, table)) {
        if (volatile.includes(column.name)) continue;
        for (const value of VALUES[open.engine][column.type]) {
          at += 1;
          if (at % EVERY !== 0) continue;
          tried += 1;
          const row =
            open.engine === 'sqlite'
              ? `rowid = (select min(rowid) from ${table})`
              : `ctid = (select min(ctid) from ${table})`;
          const fault = await missed(
            `${table}.${column.name} = ${value}`,
            `update ${table} set ${column.name} = ${value} where ${row}`,
            table,
            declared.proof === 'journal'
              ? () => true
              : (faults) => faults.some((each) => each.table === table && each.kind.startsWith('row_')),
          );
          if (fault !== undefined) wrong.push(fault);
        }
      }
    }
    if (PROVE) console.info(`${tried} values tried (${open.engine})`);
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(30);
  });

  it.runIf(open.engine === 'sqlite')(
    'show bytes that were replaced by the text of their digest',
    async () => {
      const copy = await image.copy();
      const [blob] = await copy.rows('select sha256 from blobs order by project_id, sha256 limit 1');
      await copy.change([
        'create table loose as select * from blobs',
        'drop table blobs',
        'alter table loose rename to blobs',
      ]);
      await copy.change([`update blobs set bytes = '${blob?.sha256}' where sha256 = '${blob?.sha256}'`]);
      const { faults } = await store.verified(copy.url);
      expect(faults).toContainEqual(expect.objectContaining({ kind: 'row_changed', table: 'blobs' }));
      await copy.remove();
    },
    TIMEOUT,
  );

  it.runIf(open.engine === 'sqlite')(
    'do not keep it from ending: keys behind which the same rows follow',
    async () => {
      const copy = await image.copy();
      const columns = await columnsOf('sqlite', copy, 'facts');
      const cells = columns.map(({ name, type }) =>
        name === 'fact_id'
          ? "cast(x'ff' || n.v as text)"
          : name === 'key_hash'
            ? 'n.v'
            : type === 'int'
              ? 'n.v'
              : "'x'",
      );
      await copy.change([
        `insert into facts (${columns.map(({ name }) => name).join(', ')})
       with recursive n(v) as (select 100000 union all select v + 1 from n where v < 102500)
       select ${cells.join(', ')} from n`,
      ]);
      const { valid, faults } = await store.verified(copy.url);
      expect(valid).toBe(false);
      expect(faults.map(({ kind, table }) => `${kind} ${table}`)).toContain('row_unrecorded facts');
      await copy.remove();
    },
    TIMEOUT,
  );
});

/** In no order: PostgreSQL puts a row that was changed at the end. */
const stored = (rows: readonly object[]) =>
  rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n');
