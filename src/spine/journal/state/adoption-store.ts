import type { Reader, UnitOfWork } from '../../storage/database.ts';
import type { RowKey } from './state-event.ts';

/** Where the adoption of a table has come to. What counts for verification is in the events. */
export interface Adoption {
  readonly after: RowKey | undefined;
  readonly complete: boolean;
}

interface AdoptionRow {
  readonly table_name: string;
  readonly after_key: string | null;
  readonly complete: number;
}

export async function selectAdoptions(reader: Reader): Promise<ReadonlyMap<string, Adoption>> {
  const rows = await reader.all<AdoptionRow>('select table_name, after_key, complete from state_adoptions');
  return new Map(
    rows.map((row) => [
      row.table_name,
      {
        after: row.after_key === null ? undefined : (JSON.parse(row.after_key) as RowKey),
        complete: row.complete === 1,
      },
    ]),
  );
}

export async function putAdoption(uow: UnitOfWork, table: string, adoption: Adoption): Promise<void> {
  await uow.run(
    `insert into state_adoptions (table_name, after_key, complete) values (?, ?, ?)
     on conflict (table_name) do update set after_key = excluded.after_key, complete = excluded.complete`,
    [table, adoption.after === undefined ? null : JSON.stringify(adoption.after), adoption.complete ? 1 : 0],
  );
}
