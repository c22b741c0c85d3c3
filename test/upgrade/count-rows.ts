import type { TestServer } from '../setup/server.ts';

const TABLES = {
  // The text index answers no count, and what is in it belongs to the engine.
  sqlite: `select name from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!'
    and name not like 'search!_postings%' escape '!' order by name`,
  postgres: `select relname::text as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`,
};

/** How many rows each table of the store has. */
export function countRows({ db }: TestServer['app']): Promise<Record<string, number>> {
  return db.read(async (reader) => {
    const counts: Record<string, number> = {};
    for (const { name } of await reader.all<{ name: string }>(TABLES[db.engine])) {
      counts[name] = (await reader.get<{ rows: number }>(`select count(*) as rows from ${name}`))?.rows ?? 0;
    }
    return counts;
  });
}
