import type { Reader, UnitOfWork } from '../../storage/database.ts';
import type { RowKey } from './state-event.ts';

/** How far the rows of a table have been recorded anew for a step. What counts for verification is in the events. */
export interface Rewriting {
  readonly after: RowKey | undefined;
  readonly complete: boolean;
}

interface RewritingRow {
  readonly step: string;
  readonly table_name: string;
  readonly after_key: string | null;
  readonly complete: number;
}

export const rewriteName = (step: string, table: string): string => `${step} ${table}`;

/** By `rewriteName`. */
export async function selectRewritings(reader: Reader): Promise<ReadonlyMap<string, Rewriting>> {
  const rows = await reader.all<RewritingRow>(
    'select step, table_name, after_key, complete from state_rewrites',
  );
  return new Map(
    rows.map((row) => [
      rewriteName(row.step, row.table_name),
      {
        after: row.after_key === null ? undefined : (JSON.parse(row.after_key) as RowKey),
        complete: row.complete === 1,
      },
    ]),
  );
}

export async function putRewriting(
  uow: UnitOfWork,
  step: string,
  table: string,
  { after, complete }: Rewriting,
): Promise<void> {
  await uow.run(
    `insert into state_rewrites (step, table_name, after_key, complete) values (?, ?, ?, ?)
     on conflict (step, table_name) do update set after_key = excluded.after_key, complete = excluded.complete`,
    [step, table, after === undefined ? null : JSON.stringify(after), complete ? 1 : 0],
  );
}
