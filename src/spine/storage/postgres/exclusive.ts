import type { UnitOfWork } from '../database.ts';
import { type DatabaseOptions, lockWait } from '../options.ts';
import { Watching } from '../watch.ts';
import type { ConnectionPool, Lent } from './connection-pool.ts';
import { translate } from './postgres-error.ts';
import { PostgresUnit } from './postgres-unit.ts';
import { Session } from './session.ts';

const TABLES = `select format('%I', relname) as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname`;

/** A share lock on every table lets others read and keeps their writes waiting, and those give up by themselves. */
export function exclusively<T>(
  pool: ConnectionPool,
  options: DatabaseOptions,
  work: (uow: UnitOfWork) => Promise<T>,
): Promise<T> {
  // This transaction is long on purpose: the server must not end it for being idle.
  const begin = `begin isolation level read committed; set local idle_in_transaction_session_timeout = 0;
    set local lock_timeout = ${lockWait(options)}`;
  return pool.lend(begin, async (client): Promise<Lent<T>> => {
    const session = new Session(client);
    const watching = new Watching();
    const unit = new PostgresUnit({ session, options, watching, before: [], savepoint: false });
    try {
      const tables = await unit.all<{ name: string }>(TABLES);
      if (tables.length > 0) {
        await session.control(`lock table ${tables.map(({ name }) => name).join(', ')} in share mode`);
      }
      const result = await unit.perform(() => work(unit));
      unit.end();
      await session.commit();
      return { reusable: true, result };
    } catch (error) {
      unit.end();
      await session.rollBack();
      throw translate(error);
    }
  });
}
