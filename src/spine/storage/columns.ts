import type { Reader } from './database.ts';

const SQLITE = `select m.name as table_name, p.name as column_name
  from sqlite_schema m join pragma_table_info(m.name) p where m.type = 'table' order by 1, 2`;

const POSTGRES = `select c.relname as table_name, a.attname as column_name
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  order by c.relname collate "C", a.attname collate "C"`;

/** The columns of every table, by name. */
export async function selectColumns(reader: Reader): Promise<Map<string, string[]>> {
  const rows = await reader.all<{ table_name: string; column_name: string }>(
    reader.engine === 'sqlite' ? SQLITE : POSTGRES,
  );
  const tables = new Map<string, string[]>();
  for (const { table_name, column_name } of rows) {
    const columns = tables.get(table_name);
    if (columns === undefined) tables.set(table_name, [column_name]);
    else columns.push(column_name);
  }
  return tables;
}
