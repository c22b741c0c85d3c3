import { DatabaseSync } from '@photostructure/sqlite';
import type { Reader } from '../database.ts';
import type { SchemaPart } from './schema-part.ts';

interface ShapeRow {
  readonly name: string;
  readonly columns: string;
  readonly keys: string;
}

/**
 * The tables that the same steps make on SQLite, with what both engines know of them: which columns they have, which of
 * them must not be null, and which are unique together. PostgreSQL has nowhere to make them but the server itself.
 */
const TABLES = `select m.name,
    (select json_group_array(line) from (select p.name || case when p."notnull" = 1 or p.pk > 0 then '!' else '' end as line
       from pragma_table_info(m.name) p order by p.name)) as columns,
    (select json_group_array(line) from (
       select (select group_concat(name, ' ') from (select i.name from pragma_index_info(l.name) i order by i.name)) as line
         from pragma_index_list(m.name) l where l.origin in ('pk', 'u')
       union
       select (select group_concat(name, ' ') from (select k.name from pragma_table_info(m.name) k where k.pk > 0 order by k.name))
         where exists (select 1 from pragma_table_info(m.name) k where k.pk > 0)
       order by 1)) as keys
  from sqlite_schema m where m.type = 'table' and m.sql not like 'create virtual%'
    and m.name not like 'sqlite^_%' escape '^'
    and not exists (select 1 from sqlite_schema v where v.sql like 'create virtual%' and m.name like v.name || '^_%' escape '^')`;

const FOUND_TABLES = `select c.relname as name,
    (select json_agg(line order by line collate "C") from (select a.attname || case when a.attnotnull then '!' else '' end as line
       from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as l)::text as columns,
    coalesce((select json_agg(distinct line) from (
       select (select string_agg(a.attname, ' ' order by a.attname collate "C") from pg_attribute a
         where a.attrelid = c.oid and a.attnum = any(k.conkey)) as line
       from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u')) as l), '[]')::text as keys
  from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`;

/** Apart from those that a constraint of the table is kept by. */
const FOUND_INDEXES = `select i.relname as name, t.relname as table_name, x.indisunique as is_unique,
    x.indisvalid and x.indisready as is_ready, x.indpred is not null as is_partial
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
  where t.relnamespace = current_schema()::regnamespace
    and not exists (select 1 from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))`;

const FOUND_TRIGGERS = `select g.tgname as name, t.relname as table_name, g.tgtype as moments, g.tgenabled = 'O' as is_on,
    f.prosrc as source
  from pg_trigger g join pg_class t on t.oid = g.tgrelid join pg_proc f on f.oid = g.tgfoid
  where not g.tgisinternal and t.relnamespace = current_schema()::regnamespace`;

/** What else can change, add or hide rows of a table, and what Baton never makes. */
const FOUND_HOOKS = `select 'disabled constraint trigger ' || g.tgname as key, t.relname as table_name
    from pg_trigger g join pg_class t on t.oid = g.tgrelid
    where g.tgisinternal and g.tgenabled <> 'O' and t.relnamespace = current_schema()::regnamespace
  union all
  select 'rule ' || r.rulename, t.relname from pg_rewrite r join pg_class t on t.oid = r.ev_class
    where r.rulename <> '_RETURN' and t.relnamespace = current_schema()::regnamespace
  union all
  select 'policy ' || p.polname, t.relname from pg_policy p join pg_class t on t.oid = p.polrelid
    where t.relnamespace = current_schema()::regnamespace
  union all
  select 'row security', t.relname from pg_class t
    where t.relrowsecurity and t.relnamespace = current_schema()::regnamespace
  union all
  select 'child ' || h.inhrelid::regclass::text, t.relname from pg_inherits h join pg_class t on t.oid = h.inhparent
    where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace`;

export function postgresPartsMadeBy(sqlite: readonly string[], postgres: readonly string[]): SchemaPart[] {
  const db = new DatabaseSync(':memory:');
  try {
    for (const statement of sqlite) db.exec(statement);
    const tables = (db.prepare(TABLES).all() as unknown as ShapeRow[]).map(tableOf);
    return [...tables, ...indexesMadeBy(postgres), ...triggersMadeBy(postgres)];
  } finally {
    db.close();
  }
}

/** Of tables that are not among the parts made, which others may keep in the same schema, nothing is said. */
export async function selectPostgresParts(
  reader: Reader,
  made: readonly SchemaPart[],
): Promise<SchemaPart[]> {
  const own = new Set(made.map(({ table }) => table));
  const compared = new Set(made.map(({ key }) => key));
  const tables = await reader.all<ShapeRow>(FOUND_TABLES);
  const indexes = await reader.all<{
    name: string;
    table_name: string;
    is_unique: boolean;
    is_ready: boolean;
    is_partial: boolean;
  }>(FOUND_INDEXES);
  const triggers = await reader.all<{
    name: string;
    table_name: string;
    moments: number;
    is_on: boolean;
    source: string;
  }>(FOUND_TRIGGERS);
  const hooks = await reader.all<{ key: string; table_name: string }>(FOUND_HOOKS);
  return [
    ...tables.map(tableOf).filter(({ key }) => compared.has(key)),
    ...indexes.map((each) => ({
      key: `index ${each.name}`,
      table: each.table_name,
      words: indexWords(each.table_name, each.is_unique, each.is_partial, each.is_ready),
    })),
    ...triggers.map(({ name, table_name: table, moments, is_on: isOn, source }) => ({
      key: `trigger ${name}`,
      table,
      words: triggerWords(moments, source, isOn),
    })),
    ...hooks.map(({ key, table_name: table }) => ({ key, table, words: key })),
  ].filter(({ table }) => own.has(table));
}

function tableOf({ name, columns, keys }: ShapeRow): SchemaPart {
  const sorted = (text: string) => (JSON.parse(text) as string[]).sort().join(', ');
  return { key: `table ${name}`, table: name, words: `${sorted(columns)} unique by ${sorted(keys)}` };
}

function indexWords(table: string, unique: boolean, partial: boolean, ready = true): string {
  return [unique && 'unique', 'on', table, partial && 'partial', !ready && 'not ready']
    .filter(Boolean)
    .join(' ');
}

const CREATE_INDEX =
  /^\s*create\s+(unique\s+)?index\s+(?:if\s+not\s+exists\s+)?(\w+)\s+on\s+(\w+)([\s\S]*)$/i;
const DROP = /^\s*drop\s+(index|table)\s+(?:if\s+exists\s+)?(\w+)/i;
const RENAME = /^\s*alter\s+table\s+(\w+)\s+rename\s+to\s+(\w+)/i;

function indexesMadeBy(statements: readonly string[]): SchemaPart[] {
  const made = new Map<string, { table: string; unique: boolean; partial: boolean }>();
  for (const statement of statements) {
    const [, unique, name = '', table = '', rest = ''] = CREATE_INDEX.exec(statement) ?? [];
    if (name !== '')
      made.set(name, { table, unique: unique !== undefined, partial: /\bwhere\b/i.test(rest) });
    const [, kind, dropped = ''] = DROP.exec(statement) ?? [];
    if (kind?.toLowerCase() === 'index') made.delete(dropped);
    const [, from, to = ''] = RENAME.exec(statement) ?? [];
    for (const [index, of] of made) {
      if (kind?.toLowerCase() === 'table' && of.table === dropped) made.delete(index);
      if (of.table === from) made.set(index, { ...of, table: to });
    }
  }
  return [...made].map(([name, { table, unique, partial }]) => ({
    key: `index ${name}`,
    table,
    words: indexWords(table, unique, partial),
  }));
}

const CREATE_FUNCTION = /^\s*create\s+function\s+(\w+)\(\)[^$]*\$\$([\s\S]*)\$\$/i;
const CREATE_TRIGGER =
  /^\s*create\s+trigger\s+(\w+)\s+(before|after)\s+([\s\S]*?)\s+on\s+(\w+)[\s\S]*execute\s+function\s+(\w+)/i;
/** As the catalogue has them: a trigger for each row is 1, one that runs before it 2. */
const EVENTS: readonly (readonly [RegExp, number])[] = [
  [/\binsert\b/i, 4],
  [/\bdelete\b/i, 8],
  [/\bupdate\b/i, 16],
];

function triggersMadeBy(statements: readonly string[]): SchemaPart[] {
  const sources = new Map<string, string>();
  const made: SchemaPart[] = [];
  for (const statement of statements) {
    const [, named, source = ''] = CREATE_FUNCTION.exec(statement) ?? [];
    if (named !== undefined) sources.set(named, source);
    const [, name, moment, events = '', table = '', runs = ''] = CREATE_TRIGGER.exec(statement) ?? [];
    if (name === undefined) continue;
    const on = EVENTS.reduce((bits, [event, bit]) => (event.test(events) ? bits | bit : bits), 1);
    const moments = moment?.toLowerCase() === 'before' ? on | 2 : on;
    made.push({ key: `trigger ${name}`, table, words: triggerWords(moments, sources.get(runs) ?? '') });
  }
  return made;
}

function triggerWords(moments: number, source: string, isOn = true): string {
  return `${isOn ? '' : 'switched off '}${moments} ${source.replaceAll(/\s+/g, ' ').trim()}`;
}
