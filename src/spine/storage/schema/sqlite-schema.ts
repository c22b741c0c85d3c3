import { DatabaseSync } from '@photostructure/sqlite';
import type { Reader } from '../database.ts';
import type { SchemaPart } from './schema-part.ts';

interface ObjectRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/** Without what ANALYZE leaves, of which nothing but the speed of a query depends. */
const OBJECTS = `select type, name, tbl_name, sql from sqlite_schema
  where name not like 'sqlite^_stat%' escape '^' order by type, name`;

/** What the statements leave in a file that was empty. */
export function sqlitePartsMadeBy(statements: readonly string[]): SchemaPart[] {
  const db = new DatabaseSync(':memory:');
  try {
    for (const statement of statements) db.exec(statement);
    return (db.prepare(OBJECTS).all() as unknown as ObjectRow[]).map(partOf);
  } finally {
    db.close();
  }
}

export async function selectSqliteParts(reader: Reader): Promise<SchemaPart[]> {
  return (await reader.all<ObjectRow>(OBJECTS)).map(partOf);
}

/** Versions of SQLite differ in the spaces and quotes that they write into what they rename. */
function partOf({ type, name, tbl_name: table, sql }: ObjectRow): SchemaPart {
  return {
    key: `${type} ${name}`,
    table,
    words: (sql ?? '').replaceAll('"', '').replaceAll(/\s+/g, ' ').trim(),
  };
}
