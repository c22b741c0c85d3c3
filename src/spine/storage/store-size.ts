import type { Reader } from './database.ts';

/** Bytes of the data file, or of the database on its server. */
export async function selectStoreSize(reader: Reader): Promise<number> {
  const row = await reader.get<{ bytes: number }>(
    reader.engine === 'sqlite'
      ? 'select p.page_count * s.page_size as bytes from pragma_page_count p, pragma_page_size s'
      : 'select pg_database_size(current_database()) as bytes',
  );
  return row?.bytes ?? 0;
}
