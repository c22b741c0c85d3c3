import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Database } from '../../src/spine/storage/database.ts';

/** Whether any byte of the store still spells this word: every file of SQLite, every row of PostgreSQL. */
export async function isLeftInStore(db: Database, url: string, word: string): Promise<boolean> {
  const wanted = word.toLowerCase();
  if (url.startsWith('sqlite:')) {
    const folder = dirname(url.slice('sqlite:'.length));
    const files = await readdir(folder);
    const bytes = await Promise.all(files.map((file) => readFile(join(folder, file))));
    return bytes.some((content) => content.toString('latin1').toLowerCase().includes(wanted));
  }
  return db.read(async (reader) => {
    const tables = await reader.all<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'",
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const rows = await reader.all<{ row: string }>(`select t::text as row from ${name} t`);
      const dumped = rows.map(
        ({ row }) =>
          `${row} ${Buffer.from(/\\\\x([0-9a-f]+)/.exec(row)?.[1] ?? '', 'hex').toString('latin1')}`,
      );
      if (dumped.join('\n').toLowerCase().includes(wanted)) return true;
    }
    return false;
  });
}
