import { DatabaseSync } from '@photostructure/sqlite';

const MOST_ROWS = 200_000;

/**
 * All rows of a table in another tool's SQLite file, which is only read and not trusted: nothing that its schema names is
 * run. Empty if there is no such table; a view is none.
 */
export function readForeignTable(path: string, table: string): Record<string, unknown>[] {
  const file = new DatabaseSync(path, { readOnly: true, timeout: 2_000 });
  try {
    file.exec('pragma trusted_schema = off');
    const found = file.prepare(`select name from sqlite_schema where type = 'table' and name = ?`).get(table);
    if (!found) return [];
    const name = `"${table.replaceAll('"', '""')}"`;
    return file.prepare(`select * from ${name} limit ${MOST_ROWS}`).all() as Record<string, unknown>[];
  } finally {
    file.close();
  }
}
