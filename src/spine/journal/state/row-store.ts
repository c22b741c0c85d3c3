import type { Reader, SqlValue } from '../../storage/database.ts';
import { rowLock } from '../../storage/sql-text.ts';
import type { StateTable } from './row-digest.ts';
import type { RowKey } from './state-event.ts';

export interface RowsAfter {
  readonly after: RowKey | undefined;
  readonly limit: number;
  /** The rows stay as they are until the unit ends. */
  readonly locked?: boolean;
}

/** Rows in the order of their keys, as the cells of the table's columns. */
export function selectStateRows(
  reader: Reader,
  table: StateTable,
  { after, limit, locked = false }: RowsAfter,
): Promise<SqlValue[][]> {
  const key = table.key.join(', ');
  const where = after === undefined ? '' : ` where (${key}) > (${table.key.map(() => '?').join(', ')})`;
  return reader.cells(
    `select ${table.columns.join(', ')} from ${table.name}${where} order by ${key} limit ?${locked ? rowLock(reader.engine) : ''}`,
    [...(after ?? []), limit],
  );
}

export async function isEmpty(reader: Reader, table: StateTable): Promise<boolean> {
  return (await reader.get(`select 1 as one from ${table.name} limit 1`)) === undefined;
}

export async function selectStateRow(
  reader: Reader,
  table: StateTable,
  key: RowKey,
): Promise<SqlValue[] | undefined> {
  const [row] = await reader.cells(
    `select ${table.columns.join(', ')} from ${table.name} where ${table.key.map((column) => `${column} = ?`).join(' and ')}`,
    key,
  );
  return row;
}
