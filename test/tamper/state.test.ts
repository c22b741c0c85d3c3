import { afterAll, beforeAll, expect, it } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import type { ProvableTable } from '../../src/spine/storage/tables.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { type AdoptedStore, adoptedStore } from './adopted-store.ts';
import { type Expected, isNoticed } from './case.ts';
import { type Column, columnsOf, otherValues } from './column-edits.ts';
import { insertNewerRows, NEWER } from './newer-rows.ts';
import type { StoreCopy, StoreImage } from './store-image.ts';

/** Every column takes minutes; one in six is tried in an ordinary run. */
const EVERY = process.env.BATON_PROVE === '1' ? 1 : 6;
const TIMEOUT = process.env.BATON_PROVE === '1' ? 1_200_000 : 240_000;

const provable = Object.entries(tables).filter(
  (entry): entry is [string, ProvableTable] => entry[1].proof === 'state',
);

/** The value that stands for a row in faults, of the engine's own making. */
const keyText = (columns: readonly string[]) =>
  columns.map((column) => `cast(${column} as text)`).join(` || ' ' || `);

describeOnEachEngine('state that was changed behind the journal’s back', (open) => {
  let store: AdoptedStore;
  let image: StoreImage;
  let whole: StoreCopy;
  const columns = new Map<string, readonly Column[]>();
  const filled = new Set<string>();

  beforeAll(async () => {
    store = await adoptedStore(open, { fill: insertNewerRows });
    ({ image, whole } = store);
    for (const [table] of provable) {
      columns.set(table, await columnsOf(open.engine, whole, table));
      const [row] = await whole.rows(`select count(*) as rows from ${table}`);
      if (Number(row?.rows) > 0) filled.add(table);
    }
  }, TIMEOUT);
  afterAll(() => store?.remove());

  async function missed(what: string, statement: string, expected: Expected): Promise<string | undefined> {
    const copy = await image.copy();
    try {
      await copy.change([statement]);
      const { valid, faults } = await store.verified(copy.url);
      if (!valid && isNoticed(expected, faults)) return undefined;
      return `${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(faults.slice(0, 2))}`;
    } finally {
      await copy.remove();
    }
  }

  async function firstKey(table: string, { key }: ProvableTable): Promise<string> {
    const order = key.join(', ');
    const [row] = await whole.rows(`select ${keyText(key)} as key from ${table} order by ${order} limit 1`);
    return String(row?.key);
  }

  const isFirst = (table: string, { key }: ProvableTable) =>
    `(${key.join(', ')}) = (select ${key.join(', ')} from ${table} order by ${key.join(', ')} limit 1)`;

  it('holds before anybody touches it, and says from where on', async () => {
    const report = await store.verified(whole.url);
    expect(report).toMatchObject({
      valid: true,
      faults: [],
      state: { unattested: 0, tables: provable.length },
    });
    expect(report.state?.rows).toBeGreaterThan(300);
    expect(report.state?.attested_from).toBeGreaterThan(0);
  });

  it('is there in every table, so that nothing goes untried', () => {
    expect(provable.filter(([table]) => !filled.has(table)).map(([table]) => table)).toEqual([]);
  });

  it('lets no column of a table that is new go untried', async () => {
    const empty: string[] = [];
    for (const table of NEWER) {
      for (const { name } of columns.get(table) ?? []) {
        const [row] = await whole.rows(`select count(*) as rows from ${table} where ${name} is not null`);
        if (Number(row?.rows) === 0) empty.push(`${table}.${name}`);
      }
    }
    expect(empty).toEqual([]);
  });

  it('shows every edit with its table and key', { timeout: TIMEOUT }, async () => {
    const faults: string[] = [];
    let tried = 0;
    for (const [table, declared] of provable) {
      if (!filled.has(table)) continue;
      const key = await firstKey(table, declared);
      const own = (columns.get(table) ?? []).filter(({ name }) => !declared.volatile?.includes(name));
      for (const [at, column] of own.entries()) {
        if ((at + table.length) % EVERY !== 0) continue;
        const inKey = declared.key.includes(column.name);
        const value = otherValue(column);
        const fault = await missed(
          `${table}.${column.name}`,
          `update ${table} set ${column.name} = ${value} where ${isFirst(table, declared)}`,
          { kind: inKey ? 'row_missing' : 'row_changed', table, key },
        ).catch(takenValue);
        if (fault !== undefined) faults.push(fault);
        tried += 1;
      }
    }
    if (EVERY === 1)
      console.info(`${tried} edits of columns in ${filled.size} tables tried (${open.engine})`);
    expect(faults).toEqual([]);
    expect(tried).toBeGreaterThanOrEqual(60);
  });

  it('shows every row that is gone, and every one that was planted', { timeout: TIMEOUT }, async () => {
    const faults: string[] = [];
    for (const [table, declared] of provable) {
      if (filled.has(table)) {
        const gone = await missed(
          `${table}: deleted`,
          `delete from ${table} where ${isFirst(table, declared)}`,
          { kind: 'row_missing', table, key: await firstKey(table, declared) },
        );
        if (gone !== undefined) faults.push(gone);
      }
      const own = columns.get(table) ?? [];
      const planted = await missed(
        `${table}: planted`,
        `insert into ${table} (${own.map(({ name }) => name).join(', ')}) values (${own.map(plantedValue).join(', ')})`,
        { kind: 'row_unrecorded', table, key: declared.key.map((name) => plantedText(own, name)).join(' ') },
      );
      if (planted !== undefined) faults.push(planted);
    }
    expect(faults).toEqual([]);
  });

  // The copy of PostgreSQL is the one that all share, and this goes on writing to it.
  it.runIf(open.engine === 'sqlite')(
    'cannot have forged rows adopted as if they had been there all along',
    async () => {
      const copy = await image.copy();
      await copy.change([
        "update facts set value = 'forged' where fact_id = (select min(fact_id) from facts)",
      ]);
      const before = await store.verified(copy.url);
      expect(before.faults[0]).toMatchObject({ kind: 'row_changed', table: 'facts' });
      await copy.change([
        "update state_adoptions set complete = 0, after_key = null where table_name = 'facts'",
      ]);
      const app = await store.reopened(copy.url);
      while (await app.state.adoptSome());
      await app.close();
      const { valid, faults } = await store.verified(copy.url);
      expect(valid).toBe(false);
      const key = before.faults[0]?.key;
      expect(faults).toContainEqual(expect.objectContaining({ kind: 'adoption_repeated', table: 'facts' }));
      expect(faults).toContainEqual(
        expect.objectContaining({ kind: 'adoption_changed', table: 'facts', key }),
      );
      await copy.remove();
    },
  );
});

const PLANTED = 90_007;

const plantedValue = ({ type, someBytes }: Column) =>
  ({ int: String(PLANTED), real: String(PLANTED), bytes: someBytes, text: "'planted'" })[type];

function plantedText(columns: readonly Column[], name: string): string {
  return columns.find((column) => column.name === name)?.type === 'int' ? String(PLANTED) : 'planted';
}

function otherValue(column: Column): string {
  return column.type === 'int' ? `coalesce(${column.name}, 0) + 1000003` : otherValues(column)[0]!;
}

/** Only an index refuses, where another row has the value already. */
function takenValue(error: unknown): undefined {
  if (/unique/i.test(String(error))) return undefined;
  throw error;
}
