import type { Engine, Reader, SqlValue } from './database.ts';

/** What a value must be for the engine to store it as it is given. Of fractions SQLite rounds the smallest to 0. */
export type ColumnKind = 'text' | 'integer';

interface ColumnRow {
  readonly table_name: string;
  readonly column_name: string;
  readonly declared: string;
  /** 1 for the column of a SQLite table whose numbers the engine makes up where it is given none. */
  readonly numbered: number;
  /** 1 where the engine makes a value up for a row that is given none. */
  readonly made: number;
  /** The expression of its default, as the engine prints it. */
  readonly initial: string | null;
}

const SQLITE = `select *, numbered as made from (
    select m.name as table_name, p.name as column_name, lower(p.type) as declared, p.dflt_value as initial,
      case when p.pk = 1 and lower(p.type) = 'integer'
        and not exists (select 1 from pragma_table_info(m.name) o where o.pk > 1) then 1 else 0 end as numbered
    from sqlite_schema m join pragma_table_info(m.name) p where m.type = 'table'
  ) as found order by 1, 2`;

const POSTGRES = `select c.relname as table_name, a.attname as column_name,
    format_type(a.atttypid, a.atttypmod) as declared, 0 as numbered, pg_get_expr(d.adbin, d.adrelid) as initial,
    case when a.attidentity <> '' or a.attgenerated <> '' then 1 else 0 end as made
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
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

/** What a row has in the columns for which its insert gives nothing. */
export type ColumnDefaults = ReadonlyMap<string, SqlValue>;

export interface TableColumns {
  /** Of the columns whose values are stored as they are given. */
  readonly kinds: ColumnKinds;
  /** Of the columns of which this can be known without asking the engine. */
  readonly defaults: ColumnDefaults;
  /** The column of SQLite's own number of a row, which every insert of one tells. */
  readonly numbered?: string;
}

interface Known extends TableColumns {
  readonly kinds: Map<string, ColumnKind>;
  readonly defaults: Map<string, SqlValue>;
  numbered?: string;
}

/** Of every table. */
export async function selectTableColumns(reader: Reader): Promise<Map<string, TableColumns>> {
  const tables = new Map<string, Known>();
  for (const { table_name, column_name, declared, numbered, made, initial } of await readColumns(reader)) {
    const table: Known = tables.get(table_name) ?? { kinds: new Map(), defaults: new Map() };
    tables.set(table_name, table);
    const kind = numbered === 1 ? undefined : KINDS[reader.engine][declared];
    if (kind !== undefined) table.kinds.set(column_name, kind);
    if (numbered === 1) table.numbered = column_name;
    const constant = made === 1 ? undefined : constantOf(initial ?? 'null', kind);
    if (constant !== undefined) table.defaults.set(column_name, constant);
  }
  return tables;
}

const TEXT = /^'((?:[^']|'')*)'(?:::text)?$/;
/** PostgreSQL prints a negative default as a cast of its text. */
const INTEGER = /^(?:(-?\d{1,15})|'(-?\d{1,15})'::(?:integer|bigint))$/;
const NULL = /^null(?:::[a-z ]+)?$/i;

/** What a literal leaves in a column of this kind; undefined for one of which only the engine knows what it comes to. */
export function constantOf(literal: string, kind: ColumnKind | undefined): SqlValue | undefined {
  if (NULL.test(literal)) return null;
  if (kind === 'integer') {
    const [found, plain, cast] = INTEGER.exec(literal) ?? [];
    return found === undefined ? undefined : Number(plain ?? cast);
  }
  return kind === 'text' ? TEXT.exec(literal)?.[1]?.replaceAll("''", "'") : undefined;
}
