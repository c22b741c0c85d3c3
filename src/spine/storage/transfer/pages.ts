import type { Reader, SqlValue } from '../database.ts';
import type { CopiedTable } from './catalogue.ts';

export type Cells = readonly SqlValue[];

const PAGE_BYTES = 1024 * 1024;
const MOST_ROWS = 1_000;
const FIRST_ROWS = 64;
/** Of rows that may hold megabytes each. */
const MOST_ROWS_WITH_BYTES = 32;

/** All rows of a table in the order of its key, page by page: as many rows as weigh about a megabyte. */
export async function* pagesOf(
  reader: Reader,
  table: CopiedTable,
  after?: Cells,
): AsyncGenerator<readonly Cells[]> {
  const { name, columns, key, bytes } = table;
  const order = key.join(', ');
  const most = bytes ? MOST_ROWS_WITH_BYTES : MOST_ROWS;
  let limit = Math.min(FIRST_ROWS, most);
  for (let last = after; ; ) {
    const where = last === undefined ? '' : `where (${order}) > (${key.map(() => '?').join(', ')})`;
    const rows = await reader.cells(
      `select ${columns.join(', ')} from ${name} ${where} order by ${order} limit ?`,
      [...(last ?? []), limit],
    );
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = keyOf(table, rows.at(-1) as Cells);
    limit = nextLimit(rows, most);
  }
}

export function keyOf({ columns, key }: CopiedTable, row: Cells): Cells {
  return key.map((column) => row[columns.indexOf(column)] as SqlValue);
}

/** A power of two, so that there are few different statements to prepare. */
function nextLimit(rows: readonly Cells[], most: number): number {
  const weight = rows.reduce((sum, row) => sum + row.reduce<number>((all, cell) => all + sizeOf(cell), 0), 0);
  const fits = Math.max(1, Math.floor((rows.length * PAGE_BYTES) / Math.max(1, weight)));
  return Math.min(most, 2 ** Math.floor(Math.log2(fits)));
}

function sizeOf(cell: SqlValue): number {
  return cell === null || typeof cell === 'number' ? 8 : cell.length;
}
