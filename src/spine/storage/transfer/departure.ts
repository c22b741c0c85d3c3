import type { UnitOfWork } from '../database.ts';
import { insertMark } from './marks.ts';

/**
 * Two stores that both went on would be two histories of one log. The mark keeps the source from being opened; processes
 * that have it open already meet a trigger on the table without which nothing is recorded.
 */
export async function leave(uow: UnitOfWork, transfer: string, table: string): Promise<void> {
  await insertMark(uow, 'moved', transfer);
  for (const statement of uow.engine === 'sqlite' ? sqliteFence(table) : postgresFence(table)) {
    await uow.run(statement);
  }
}

const WORDS = 'this store has moved to another database';

const sqliteFence = (table: string) => [
  `create trigger storage_moved before insert on ${table} begin select raise(abort, '${WORDS}'); end`,
];

const postgresFence = (table: string) => [
  `create function storage_moved() returns trigger language plpgsql as $$
    begin raise exception '${WORDS}'; end $$`,
  `create trigger storage_moved before insert on ${table} for each row execute function storage_moved()`,
];
