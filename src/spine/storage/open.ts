import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from './database.ts';
import { storageErrors } from './errors.ts';
import type { DatabaseOptions } from './options.ts';

/** `sqlite:PATH`, `file:` URLs and `postgres://…` (with `?schema=NAME` for tables outside the default schema). */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  if (url.startsWith('sqlite:') || url.startsWith('file:')) {
    // Drivers load when they are used: a command on SQLite does not wait for PostgreSQL's.
    const { openSqlite } = await import('./sqlite/sqlite-database.ts');
    return openSqlite(sqlitePath(url), options);
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgres } = await import('./postgres/postgres-database.ts');
    return openPostgres(url, options);
  }
  throw storageErrors.storage_unsupported({
    message: `No store is known for the address "${url.split(':', 1)[0]}:".`,
    next: 'Set BATON_DATABASE_URL to sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME.',
  });
}

function sqlitePath(url: string): string {
  if (url.startsWith('file:')) return fileURLToPath(url);
  const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  if (path === '' || path === ':memory:') {
    throw storageErrors.storage_unsupported({
      message: 'SQLite needs a file: its readers and other processes could not see a store in memory.',
      next: 'Name a path, as in sqlite:/var/lib/baton/baton.db.',
    });
  }
  return resolve(path);
}
