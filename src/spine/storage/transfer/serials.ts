import type { Reader, UnitOfWork } from '../database.ts';

/** The last number that each table gave to a row, also to one that is gone: none is given twice, here or there. */
export async function selectSerials(reader: Reader): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.all<{ name: string; last: number | null }>(
    reader.engine === 'sqlite'
      ? 'select name, seq as last from sqlite_sequence order by name'
      : `select c.relname as name, pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass) as last
         from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> ''
         order by c.relname`,
  );
  return new Map(rows.flatMap(({ name, last }) => (last === null || last === 0 ? [] : [[name, last]])));
}

export async function setSerials(uow: UnitOfWork, serials: ReadonlyMap<string, number>): Promise<void> {
  for (const [name, last] of serials) {
    if (uow.engine === 'sqlite') {
      await uow.run('delete from sqlite_sequence where name = ?', [name]);
      await uow.run('insert into sqlite_sequence (name, seq) values (?, ?)', [name, last]);
    } else {
      await uow.get(
        `select setval(pg_get_serial_sequence(quote_ident(c.relname), a.attname), ?) as last
         from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relnamespace = current_schema()::regnamespace and c.relname = ? and a.attidentity <> ''`,
        [last, name],
      );
    }
  }
}
