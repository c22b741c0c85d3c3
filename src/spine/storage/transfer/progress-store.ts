import type { Reader, SqlValue, UnitOfWork } from '../database.ts';
import { ddlOf } from '../migration.ts';
import type { Cells } from './pages.ts';

/** How far a table has come. Only a store that is arriving has this table. */
export interface Progress {
  /** The key of the last row that is there. */
  readonly after: Cells | undefined;
  readonly complete: boolean;
}

export const PROGRESS_TABLE = 'storage_progress';

export async function createProgress(uow: UnitOfWork): Promise<void> {
  const ddl = ddlOf(uow.engine);
  await uow.run(
    `create table ${PROGRESS_TABLE} (table_name ${ddl.text} primary key, after_key ${ddl.text},
      complete ${ddl.int} not null) ${ddl.end}`,
  );
}

export async function dropProgress(uow: UnitOfWork): Promise<void> {
  await uow.run(`drop table ${PROGRESS_TABLE}`);
}

export async function selectProgress(reader: Reader, table: string): Promise<Progress | undefined> {
  const row = await reader.get<{ after_key: string | null; complete: number }>(
    `select after_key, complete from ${PROGRESS_TABLE} where table_name = ?`,
    [table],
  );
  if (row === undefined) return undefined;
  const after = row.after_key === null ? undefined : (JSON.parse(row.after_key) as SqlValue[]);
  return { after, complete: row.complete === 1 };
}

export async function setProgress(
  uow: UnitOfWork,
  table: string,
  progress: Progress | undefined,
): Promise<void> {
  await uow.run(`delete from ${PROGRESS_TABLE} where table_name = ?`, [table]);
  if (progress === undefined) return;
  const { after, complete } = progress;
  await uow.run(`insert into ${PROGRESS_TABLE} (table_name, after_key, complete) values (?, ?, ?)`, [
    table,
    after === undefined ? null : JSON.stringify(after),
    complete ? 1 : 0,
  ]);
}
