import type { Reader, SqlValue } from './database.ts';

/** How many there are, counted up to a bound: a count that walks further would make a page cost what the store holds. */
export interface Total {
  readonly count: number;
  /** False when there are more than were counted. */
  readonly exact: boolean;
}

export const MOST_COUNTED = 100_000;

/** `rows` is a select of rows without `order by` or `limit`, served by an index that holds all that it names. */
export async function countUpTo(
  reader: Reader,
  rows: string,
  params: readonly SqlValue[],
  most = MOST_COUNTED,
): Promise<Total> {
  const row = await reader.get<{ n: number }>(`select count(*) as n from (${rows} limit ?) as counted`, [
    ...params,
    most + 1,
  ]);
  const found = Number(row?.n ?? 0);
  return { count: Math.min(found, most), exact: found <= most };
}
