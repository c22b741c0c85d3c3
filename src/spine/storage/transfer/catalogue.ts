import type { Reader } from '../database.ts';

/** A table as the engine knows it. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key, in their order: pages go by it. */
  readonly key: readonly string[];
  /** Columns that name another row of the same table. */
  readonly own: readonly string[];
  readonly bytes: boolean;
}

interface ColumnRow {
  readonly name: string;
  readonly columns: string;
  readonly key: string;
  readonly bytes: number;
}

interface Reference {
  readonly child: string;
  readonly parent: string;
  readonly columns: string;
}

/** Only plain tables: what an engine keeps its own index in is made again. */
const COLUMNS = {
  sqlite: `select m.name, json_group_array(p.name) as columns, max(lower(p.type) = 'blob') as bytes,
      (select json_group_array(k.name) from (select name from pragma_table_info(m.name) where pk > 0 order by pk) k)
        as key
    from sqlite_schema m join pragma_table_info(m.name) p
    where m.type = 'table' and m.sql not like 'create virtual%' and m.name not like 'sqlite^_%' escape '^'
    group by m.name`,
  postgres: `select c.relname as name, cast(json_agg(a.attname) as text) as columns,
      max(case when a.atttypid = 'bytea'::regtype then 1 else 0 end) as bytes,
      cast((select json_agg(k.attname order by array_position(i.indkey::int[], k.attnum::int))
         from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any(i.indkey)
         where i.indrelid = c.oid and i.indisprimary) as text) as key
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0
      and not a.attisdropped
    group by c.oid, c.relname`,
} as const;

const REFERENCES = {
  sqlite: `select m.name as child, f."table" as parent, json_group_array(f."from") as columns
    from sqlite_schema m join pragma_foreign_key_list(m.name) f where m.type = 'table'
    group by m.name, f."table", f.id`,
  postgres: `select c.relname as child, p.relname as parent,
      cast((select json_agg(a.attname) from pg_attribute a where a.attrelid = f.conrelid and a.attnum = any(f.conkey))
        as text) as columns
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class p on p.oid = f.confrelid
    where f.contype = 'f' and c.relnamespace = current_schema()::regnamespace`,
} as const;

/** The tables of these names, each after those that its rows refer to. */
export async function selectCatalogue(reader: Reader, names: ReadonlySet<string>): Promise<CopiedTable[]> {
  const rows = await reader.all<ColumnRow>(COLUMNS[reader.engine]);
  const references = await reader.all<Reference>(REFERENCES[reader.engine]);
  const tables = rows
    .filter(({ name }) => names.has(name))
    .map(({ name, columns, key, bytes }) => ({
      name,
      columns: (JSON.parse(columns) as string[]).sort(),
      key: JSON.parse(key) as string[],
      bytes: bytes === 1,
      own: references
        .filter(({ child, parent }) => child === name && parent === name)
        .flatMap((reference) => JSON.parse(reference.columns) as string[]),
    }));
  return parentsFirst(tables, references);
}

/** The names of all tables, whoever made them. */
export async function selectTableNames(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ name: string }>(
    reader.engine === 'sqlite'
      ? `select name from sqlite_schema where type = 'table' and name not like 'sqlite^_%' escape '^'`
      : `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  );
  return rows.map(({ name }) => name);
}

function parentsFirst(tables: readonly CopiedTable[], references: readonly Reference[]): CopiedTable[] {
  const sorted: CopiedTable[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const free = [...left.values()].filter(({ name }) =>
      references.every(({ child, parent }) => child !== name || parent === name || !left.has(parent)),
    );
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...left.keys()]}.`);
    for (const table of free.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      sorted.push(table);
      left.delete(table.name);
    }
  }
  return sorted;
}
