import type { Engine, Reader } from './database.ts';

/** What a value must be for the engine to store it as it is given. Of fractions SQLite rounds the smallest to 0. */
export type ColumnKind = 'text' | 'integer';

interface ColumnRow {
  readonly table_name: string;
  readonly column_name: string;
  readonly declared: string;
  /** 1 for the column of a SQLite table whose numbers the engine makes up where it is given none. */
  readonly numbered: number;
}

const SQLITE = `select m.name as table_name, p.name as column_name, lower(p.type) as declared,
    case when p.pk = 1 and lower(p.type) = 'integer'
      and not exists (select 1 from pragma_table_info(m.name) o where o.pk > 1) then 1 else 0 end as numbered
  from sqlite_schema m join pragma_table_info(m.name) p where m.type = 'table' order by 1, 2`;

const POSTGRES = `select c.relname as table_name, a.attname as column_name,
    format_type(a.atttypid, a.atttypmod) as declared, 0 as numbered
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  order by c.relname collate "C", a.attname collate "C"`;

function readColumns(reader: Reader): Promise<ColumnRow[]> {
  return reader.all<ColumnRow>(reader.engine === 'sqlite' ? SQLITE : POSTGRES);
}

/** The columns of every table, by name. */
export async function selectColumns(reader: Reader): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  for (const { table_name, column_name } of await readColumns(reader)) {
    const columns = tables.get(table_name);
    if (columns === undefined) tables.set(table_name, [column_name]);
    else columns.push(column_name);
  }
  return tables;
}

/** What a column of any other type stores, only the engine can tell. */
const KINDS: Readonly<Record<Engine, Readonly<Record<string, ColumnKind>>>> = {
  sqlite: { text: 'text', integer: 'integer' },
  postgres: { text: 'text', bigint: 'integer' },
};

export type ColumnKinds = ReadonlyMap<string, ColumnKind>;

/** Of every table. */
export async function selectColumnKinds(reader: Reader): Promise<Map<string, ColumnKinds>> {
  const tables = new Map<string, Map<string, ColumnKind>>();
  for (const { table_name, column_name, declared, numbered } of await readColumns(reader)) {
    const kinds = tables.get(table_name) ?? new Map<string, ColumnKind>();
    tables.set(table_name, kinds);
    const kind = numbered === 1 ? undefined : KINDS[reader.engine][declared];
    if (kind !== undefined) kinds.set(column_name, kind);
  }
  return tables;
}
