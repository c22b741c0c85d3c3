import type { Reader, SqlValue } from './database.ts';

/** What the texts of one page may weigh together: what is read, joined and sent while others wait for their turn. */
export const MOST_PAGE_BYTES = 4 * 1024 * 1024;

/** How many of the first items fit into a page. The first always does. */
export function fittingCount(sizes: readonly number[], most = MOST_PAGE_BYTES): number {
  let bytes = 0;
  const end = sizes.findIndex((size, at) => {
    bytes += size;
    return at > 0 && bytes > most;
  });
  return end < 0 ? sizes.length : end;
}

export interface Fitting {
  readonly limit: number;
  /** How many rows within the limit that was asked for do not fit. */
  readonly leftOut: number;
}

/**
 * The limit of a page whose rows may be large: as many as fit, at least one. `sizes` selects `bytes` of the same rows in
 * the same order, with `octet_length`, which reads no text; its last parameter is the limit.
 */
export async function fittingLimit(
  reader: Reader,
  sizes: string,
  params: readonly SqlValue[],
  limit: number,
): Promise<Fitting> {
  const rows = await reader.all<{ bytes: number }>(sizes, [...params, limit]);
  const count = fittingCount(rows.map(({ bytes }) => Number(bytes)));
  return { limit: count < rows.length ? count : limit, leftOut: rows.length - count };
}

/** How many of the first rows, selected as for `fittingLimit`, are larger than that. */
export async function countLarger(
  reader: Reader,
  sizes: string,
  params: readonly SqlValue[],
  limit: number,
  largest: number,
): Promise<number> {
  const row = await reader.get<{ n: number }>(
    `select count(*) as n from (${sizes}) as sized where bytes > ?`,
    [...params, limit, largest],
  );
  return Number(row?.n ?? 0);
}
