import { afterAll, beforeAll, expect, it } from 'vitest';
import { derivedTables } from '../../src/app/derived-tables.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { type AdoptedStore, adoptedStore } from './adopted-store.ts';
import { type Expected, isNoticed } from './case.ts';
import { type Column, columnsOf, otherValues } from './column-edits.ts';
import type { StoreCopy, StoreImage } from './store-image.ts';

const PROVE = process.env.BATON_PROVE === '1';
/** Every column takes a minute; one in four is tried in an ordinary run. */
const EVERY = PROVE ? 1 : 4;
const TIMEOUT = PROVE ? 1_200_000 : 240_000;

const DOCUMENT_KEY =
  "(select s.project_id || ' ' || s.collection from search_spaces s where s.space = search_documents.space) || ' ' || id";

/** Each table that is made from others, with what identifies a row in faults. */
const TABLES: Readonly<Record<string, { readonly key: string; readonly first: string }>> = {
  search_spaces: { key: "project_id || ' ' || collection", first: 'space' },
  search_terms: { key: 'cast(term as text)', first: 'term' },
  search_documents: { key: DOCUMENT_KEY, first: 'doc' },
  search_bodies: { key: 'cast(doc as text)', first: 'doc' },
  search_codes: { key: 'cast(doc as text)', first: 'doc' },
  schema_migrations: { key: 'name', first: 'position' },
  why_causes: { key: 'source_id', first: 'source_id' },
};

/** Edits that show at another table: what is found there by the number that was changed. */
const TOLD_AT: Readonly<Record<string, string>> = {
  'search_documents.doc': 'search_bodies',
  'search_documents.embedder': 'search_codes',
  'search_codes.seq': 'harmless',
  'search_spaces.last_doc': 'harmless',
};

/** Columns by which rows are known: after the edit it is another row that is there, or one that is missing. */
const IDENTIFYING: ReadonlySet<string> = new Set([
  'search_spaces.space',
  'search_spaces.project_id',
  'search_spaces.collection',
  'search_documents.space',
  'search_documents.id',
  'search_terms.term',
  'search_bodies.doc',
  'search_codes.doc',
  'schema_migrations.name',
  'why_causes.source_id',
  'why_causes.source_kind',
  'why_causes.project_id',
  'why_causes.leaf',
  'why_causes.role',
]);

/** A word that no document of its space has. */
const NO_WORD: ReadonlySet<string> = new Set(['search_terms.space', 'search_terms.word']);

describeOnEachEngine('tables that are made from others, changed behind the journal’s back', (open) => {
  let store: AdoptedStore;
  let image: StoreImage;
  let whole: StoreCopy;

  beforeAll(async () => {
    store = await adoptedStore(open, { derived: derivedTables });
    ({ image, whole } = store);
  }, TIMEOUT);
  afterAll(() => store?.remove());

  async function missed(
    what: string,
    statements: readonly string[],
    expected: Expected,
  ): Promise<string | undefined> {
    const copy = await image.copy();
    try {
      await copy.change(statements);
      const { faults } = await store.verified(copy.url);
      if (isNoticed(expected, faults)) return undefined;
      return `${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(faults.slice(0, 2))}`;
    } finally {
      await copy.remove();
    }
  }

  it('hold before anybody touches them, in a store that an older version made', async () => {
    const report = await store.verified(whole.url);
    expect(report).toMatchObject({ valid: true, faults: [], derived: { tables: 9 } });
    expect(report.derived?.rows).toBeGreaterThan(20);
  });

  for (const [table, { key, first }] of Object.entries(TABLES)) {
    it(`show every edit of ${table}, and every row that is gone or planted`, {
      timeout: TIMEOUT,
    }, async () => {
      const where = `${first} = (select min(${first}) from ${table})`;
      const [row] = await whole.rows(`select ${key} as key from ${table} where ${where}`);
      const columns = await columnsOf(open.engine, whole, table);
      const faults: (string | undefined)[] = [];
      for (const [at, column] of columns.entries()) {
        if ((at + table.length) % EVERY !== 0) continue;
        const name = `${table}.${column.name}`;
        const told = TOLD_AT[name];
        const expected: Expected =
          told === 'harmless'
            ? { harmless: 'it is an order and no content' }
            : told !== undefined || IDENTIFYING.has(name)
              ? { table: told ?? table }
              : NO_WORD.has(name)
                ? { kind: 'derived_surplus', table, key: String(row?.key) }
                : { kind: 'derived_changed', table, key: String(row?.key) };
        const value = otherValue(column);
        faults.push(
          await missed(name, [`update ${table} set ${column.name} = ${value} where ${where}`], expected),
        );
      }
      faults.push(await missed(`${table}: deleted`, [`delete from ${table} where ${where}`], { table }));
      const planted = `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) values (${columns.map(plantedValue).join(', ')})`;
      faults.push(await missed(`${table}: planted`, [planted], { table }));
      expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
    });
  }

  it('show what is posted wrongly: a document that is found by too few words, by too many, or that is none', async () => {
    const doc = '(select min(doc) from search_documents)';
    const sqlite = open.engine === 'sqlite';
    const [row] = await whole.rows('select min(doc) as doc from search_documents');
    const key = String(row?.doc);
    const lost = sqlite
      ? `insert into search_postings (search_postings) values ('delete-all')`
      : `delete from search_postings where doc = ${doc}`;
    const more = sqlite
      ? `insert into search_postings (rowid, terms) values (${doc}, '1 2 3 4 5 6 7 8 9 77s')`
      : `update search_postings set terms = terms || cast(77 as bigint) where doc = ${doc}`;
    const planted = sqlite
      ? `insert into search_postings (rowid, terms) values (90007, '1')`
      : "insert into search_postings (doc, terms) values (90007, '{1}')";
    expect(await missed('lost', [lost], { table: 'search_postings', key })).toBeUndefined();
    expect(await missed('more', [more], { table: 'search_postings', key })).toBeUndefined();
    expect(await missed('planted', [planted], { table: 'search_postings', key: '90007' })).toBeUndefined();
  });

  it('are left out when they are not asked for', async () => {
    const report = await store.verified(whole.url, { withoutDerived: true });
    expect(report).toMatchObject({ valid: true, derived: null });
  });
});

const PLANTED = 90_007;

const plantedValue = ({ type, someBytes }: Column) =>
  ({ int: String(PLANTED), real: String(PLANTED), bytes: someBytes, text: "'planted'" })[type];

function otherValue(column: Column): string {
  return column.type === 'int' ? `coalesce(${column.name}, 0) + 1000003` : otherValues(column)[0]!;
}
