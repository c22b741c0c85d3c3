import { formatMicros } from '../../../kernel/instant.ts';
import { groupBy } from '../../../spine/search/store/group-by.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { selectPrices } from '../usage/price-store.ts';
import { priceList } from '../usage/prices.ts';
import { costOfUsage } from './cost.ts';
import type { TraceSummaryView } from './schema.ts';
import { selectTraces, selectUsageOfTraces, type TraceFilter, type TraceRow } from './store.ts';
import { writeTraceCursor } from './trace-cursor.ts';

const MOST_LOOKED_AT = 10_000;
const PAGE = 1000;

/** A page may be shorter than asked for and still have a next: durations are looked for in so many traces at once. */
export async function listTraces(
  reader: Reader,
  projectId: string,
  filter: TraceFilter & { readonly minDurationMs?: number | undefined },
  limit: number,
): Promise<{ items: TraceSummaryView[]; next: string | null }> {
  const found: TraceRow[] = [];
  let last: TraceRow | undefined;
  let ended = false;
  const page = filter.minDurationMs === undefined ? limit + 1 : PAGE;
  for (let looked = 0; !ended && found.length <= limit && looked < MOST_LOOKED_AT; looked += page) {
    const before = last ? { startMicros: last.start_us, traceId: last.trace_id } : filter.before;
    const rows = await selectTraces(reader, projectId, { ...filter, before }, page);
    for (const row of rows) {
      if (found.length > limit) break;
      last = row;
      if ((row.end_us - row.start_us) / 1000 >= (filter.minDurationMs ?? 0)) found.push(row);
    }
    ended = rows.length < page;
  }
  const shown = found.slice(0, limit);
  const place = found.length > limit ? shown.at(-1) : ended ? undefined : last;
  return {
    items: await summaries(reader, projectId, shown),
    next: place ? writeTraceCursor({ startMicros: place.start_us, traceId: place.trace_id }) : null,
  };
}

async function summaries(
  reader: Reader,
  projectId: string,
  rows: readonly TraceRow[],
): Promise<TraceSummaryView[]> {
  const priceOf = priceList(await selectPrices(reader, projectId));
  const usages = await selectUsageOfTraces(
    reader,
    projectId,
    rows.map(({ trace_id }) => trace_id),
  );
  const byTrace = groupBy(usages, ({ trace_id }) => trace_id);
  return rows.map(({ start_us, end_us, ...row }) => ({
    ...row,
    start: formatMicros(start_us),
    duration_ms: (end_us - start_us) / 1000,
    ...costOfUsage(byTrace.get(row.trace_id) ?? [], priceOf),
  }));
}
