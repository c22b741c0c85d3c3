import type { UnitOfWork } from '../database.ts';
import type { DatabaseOptions } from '../options.ts';
import { Watching } from '../watch.ts';
import { Connection } from './connection.ts';
import { isLoss, unavailable } from './sqlite-error.ts';
import { SqliteUnit } from './sqlite-unit.ts';
import { WalFlush } from './wal-flush.ts';
import { whileBusy } from './while-busy.ts';

/** On a connection of its own, so that the writer stays free for what fails while it waits. */
export async function exclusively<T>(
  path: string,
  options: DatabaseOptions,
  work: (uow: UnitOfWork) => Promise<T>,
): Promise<T> {
  const connection = await whileBusy(options, () => Connection.openWriter(path));
  const flush = new WalFlush(path);
  try {
    await whileBusy(options, () => connection.exec('begin immediate'));
    const unit = new SqliteUnit(connection, options, new Watching());
    const result = await unit.perform(() => work(unit)).finally(() => unit.end());
    connection.exec('commit');
    if (unit.wrote) await flush.run();
    return result;
  } catch (error) {
    throw isLoss(error) ? unavailable(error) : error;
  } finally {
    flush.close();
    connection.discard();
  }
}
