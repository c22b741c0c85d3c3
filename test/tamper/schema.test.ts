import { afterAll, beforeAll, expect, it } from 'vitest';
import { derivedTables } from '../../src/app/derived-tables.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { type AdoptedStore, adoptedStore } from './adopted-store.ts';
import { type Expected, isNoticed } from './case.ts';
import { insertNewerRows } from './newer-rows.ts';

const TIMEOUT = process.env.BATON_PROVE === '1' ? 1_200_000 : 240_000;

/** Who does what to the schema: no row is another than it was. */
interface Edit {
  readonly name: string;
  readonly sql: readonly string[];
  /** PostgreSQL has one copy for all. */
  readonly undo: readonly string[];
  readonly expected: Expected;
}

const SPENT = 'governance_grant_spent';
const SPENT_AS_MADE = `create unique index ${SPENT} on governance_grant_uses (approval_id) where single = 1`;

const SQLITE: readonly Omit<Edit, 'undo'>[] = [
  {
    name: 'a trigger under which no grant is ever spent',
    sql: ['create trigger quiet before insert on governance_grant_uses begin select raise(ignore); end'],
    expected: { kind: 'schema_surplus', table: 'governance_grant_uses', key: 'trigger quiet' },
  },
  {
    name: 'a trigger under which no key is ever revoked',
    sql: ['create trigger quiet before update of revoked_us on credentials begin select raise(ignore); end'],
    expected: { kind: 'schema_surplus', table: 'credentials', key: 'trigger quiet' },
  },
  {
    name: 'a trigger that plants rows later',
    sql: ['create trigger quiet after insert on facts begin delete from idempotency; end'],
    expected: { kind: 'schema_surplus', table: 'facts', key: 'trigger quiet' },
  },
  {
    name: 'a trigger of ours that does nothing any more',
    sql: [
      'drop trigger fact_spans_disjoint_0',
      'create trigger fact_spans_disjoint_0 after insert on fact_spans begin select 1; end',
    ],
    expected: { kind: 'schema_changed', table: 'fact_spans', key: 'trigger fact_spans_disjoint_0' },
  },
  {
    name: 'a unique index less',
    sql: [`drop index ${SPENT}`],
    expected: { kind: 'schema_missing', table: 'governance_grant_uses', key: `index ${SPENT}` },
  },
  {
    name: 'an index that is not unique any more',
    sql: [
      `drop index ${SPENT}`,
      `create index ${SPENT} on governance_grant_uses (approval_id) where single = 1`,
    ],
    expected: { kind: 'schema_changed', table: 'governance_grant_uses', key: `index ${SPENT}` },
  },
  {
    name: 'an index that lacks the rows of its table and says otherwise',
    sql: [
      'drop index governance_grant_uses_grant',
      "create index governance_grant_uses_grant on governance_grant_uses (approval_id) where approval_id = ''",
      'pragma writable_schema = on',
      `update sqlite_schema set sql =
         'CREATE INDEX governance_grant_uses_grant on governance_grant_uses (approval_id)'
       where name = 'governance_grant_uses_grant'`,
      'pragma writable_schema = reset',
    ],
    expected: { kind: 'file_unsound' },
  },
  {
    name: 'a view where a table was',
    sql: ['alter table facts rename to real_facts', 'create view facts as select * from real_facts'],
    expected: { kind: 'schema_missing', table: 'facts', key: 'table facts' },
  },
  {
    name: 'a table without its keys, with each of its rows twice',
    sql: [
      'create table copy as select * from inbox_votes',
      'drop table inbox_votes',
      'alter table copy rename to inbox_votes',
      'insert into inbox_votes select * from inbox_votes',
    ],
    expected: { kind: 'row_repeated', table: 'inbox_votes' },
  },
  {
    name: 'a table without a check',
    sql: [
      'pragma writable_schema = on',
      "update sqlite_schema set sql = replace(sql, 'check (', 'check (1 or ') where name = 'credentials'",
      'pragma writable_schema = reset',
    ],
    expected: { kind: 'schema_changed', table: 'credentials', key: 'table credentials' },
  },
  {
    name: 'a column with another default',
    sql: ["alter table credentials add column later text default 'x'"],
    expected: { kind: 'schema_changed', table: 'credentials', key: 'table credentials' },
  },
  {
    name: 'a table that nobody knows',
    sql: ['create table stowaway (a text)'],
    expected: { kind: 'schema_surplus', table: 'stowaway', key: 'table stowaway' },
  },
];

const QUIET = `create function quiet() returns trigger language plpgsql as $$ begin return null; end $$`;
const NO_QUIET = 'drop function quiet() cascade';

const POSTGRES: readonly Edit[] = [
  {
    name: 'a trigger under which no grant is ever spent',
    sql: [
      QUIET,
      'create trigger quiet before insert on governance_grant_uses for each row execute function quiet()',
    ],
    undo: [NO_QUIET],
    expected: { kind: 'schema_surplus', table: 'governance_grant_uses', key: 'trigger quiet' },
  },
  {
    name: 'a rule under which no key is ever revoked',
    sql: ['create rule quiet as on update to credentials do instead nothing'],
    undo: ['drop rule quiet on credentials'],
    expected: { kind: 'schema_surplus', table: 'credentials', key: 'rule quiet' },
  },
  {
    name: 'a trigger of ours that runs something else',
    sql: [
      `create or replace function fact_spans_disjoint() returns trigger language plpgsql as $$ begin return null; end $$`,
    ],
    undo: [],
    expected: { kind: 'schema_changed', table: 'fact_spans', key: 'trigger fact_spans_disjoint' },
  },
  {
    name: 'a trigger of ours that is switched off',
    sql: ['alter table fact_spans disable trigger fact_spans_disjoint'],
    undo: ['alter table fact_spans enable trigger fact_spans_disjoint'],
    expected: { kind: 'schema_changed', table: 'fact_spans', key: 'trigger fact_spans_disjoint' },
  },
  {
    name: 'row security',
    sql: ['alter table facts enable row level security', 'create policy hidden on facts using (false)'],
    undo: ['drop policy hidden on facts', 'alter table facts disable row level security'],
    expected: { kind: 'schema_surplus', table: 'facts', key: 'policy hidden' },
  },
  {
    name: 'a child table, whose rows are read with its parent’s',
    sql: ['create table stowaway () inherits (inbox_votes)'],
    undo: ['drop table stowaway'],
    expected: { kind: 'schema_surplus', table: 'inbox_votes', key: 'child stowaway' },
  },
  {
    name: 'a unique index less',
    sql: [`drop index ${SPENT}`],
    undo: [SPENT_AS_MADE],
    expected: { kind: 'schema_missing', table: 'governance_grant_uses', key: `index ${SPENT}` },
  },
  {
    name: 'an index that is not unique any more',
    sql: [
      `drop index ${SPENT}`,
      `create index ${SPENT} on governance_grant_uses (approval_id) where single = 1`,
    ],
    undo: [`drop index ${SPENT}`, SPENT_AS_MADE],
    expected: { kind: 'schema_changed', table: 'governance_grant_uses', key: `index ${SPENT}` },
  },
  {
    name: 'a table without its key, with each of its rows twice',
    sql: [
      'alter table inbox_votes drop constraint inbox_votes_pkey',
      'insert into inbox_votes select * from inbox_votes',
    ],
    undo: [],
    expected: { kind: 'row_repeated', table: 'inbox_votes' },
  },
];

describeOnEachEngine('a schema that was changed behind the journal’s back', (open) => {
  let store: AdoptedStore;

  beforeAll(async () => {
    store = await adoptedStore(open, { fill: insertNewerRows, derived: derivedTables });
  }, TIMEOUT);
  afterAll(() => store?.remove());

  it('holds as the steps have made it, in a store that an older version began', async () => {
    const { faults, derived } = await store.verified(store.whole.url);
    expect(faults).toEqual([]);
    expect(derived?.tables).toBe(9);
  });

  for (const { name, sql, expected, ...edit } of open.engine === 'sqlite' ? SQLITE : POSTGRES) {
    it(`is named: ${name}`, { timeout: TIMEOUT }, async () => {
      const copy = await store.image.copy();
      try {
        if (open.engine === 'sqlite') await copy.change(sql);
        else for (const statement of sql) await copy.rows(statement);
        const { valid, faults } = await store.verified(copy.url);
        expect(valid).toBe(false);
        expect(isNoticed(expected, faults), JSON.stringify(faults.slice(0, 5))).toBe(true);
      } finally {
        for (const statement of (edit as Partial<Edit>).undo ?? []) await copy.rows(statement);
        await copy.remove();
      }
    });
  }
});
