import { parseInstant } from '../../../kernel/instant.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import { type StoredSpan, selectSpans } from '../spans/store.ts';
import { selectPrices } from '../usage/price-store.ts';
import { priceList } from '../usage/prices.ts';
import { inDollars, rounded } from '../usage/stats.ts';
import { costOfUsage } from './cost.ts';
import { depthFirst } from './depth-first.ts';
import type { WaterfallView } from './schema.ts';
import { selectUsageOfTraces } from './store.ts';
import { costOfSpan, hopOf, type UnderstoodSpan, understood } from './understood-span.ts';

export const MOST_TRACE_SPANS = 10_000;

/** Undefined beyond, so that whoever shows a trace can say that there is more. */
export async function spansOfTrace(
  reader: Reader,
  projectId: string,
  traceId: string,
): Promise<{ readonly spans: readonly StoredSpan[]; readonly complete: boolean }> {
  const found = await selectSpans(reader, projectId, { traceId, limit: MOST_TRACE_SPANS + 1 });
  if (found.length === 0) throw relayErrors.trace_not_found();
  return { spans: found.slice(0, MOST_TRACE_SPANS), complete: found.length <= MOST_TRACE_SPANS };
}

export async function readWaterfall(
  reader: Reader,
  projectId: string,
  traceId: string,
): Promise<WaterfallView> {
  const { spans, complete } = await spansOfTrace(reader, projectId, traceId);
  const priceOf = priceList(await selectPrices(reader, projectId));
  const bySpan = new Map<string, UnderstoodSpan>();
  for (const stored of spans) {
    bySpan.set(stored.span.spanId, understood(stored));
    await reader.giveTurn();
  }
  const all = [...bySpan.values()];
  const start = all.reduce(
    (least, { view }) => (view.start < least ? view.start : least),
    all[0]?.view.start ?? '',
  );
  const end = all.reduce((most, { view }) => (view.end > most ? view.end : most), '');
  const began = parseInstant(start)?.micros ?? 0;
  return {
    trace_id: traceId,
    session_id: all.find(({ meaning }) => meaning.session !== undefined)?.meaning.session ?? null,
    start,
    duration_ms: ((parseInstant(end)?.micros ?? began) - began) / 1000,
    errors: all.filter(({ view }) => view.status === 'error').length,
    usage: costOfUsage(await selectUsageOfTraces(reader, projectId, [traceId]), priceOf),
    rows: depthFirst(all.map(({ view }) => view)).flatMap(({ span, depth }) => {
      const own = bySpan.get(span.span_id);
      return own ? [rowOf(own, depth, began, costOfSpan(own, priceOf))] : [];
    }),
    complete,
  };
}

function rowOf(own: UnderstoodSpan, depth: number, began: number, costMicros: number | undefined) {
  const { view, meaning, agent, startMicros } = own;
  return {
    ...hopOf(own),
    parent_span_id: view.parent_span_id,
    depth,
    offset_ms: rounded((startMicros - began) / 1000),
    service: view.service,
    agent,
    ...(meaning.model !== undefined && { model: meaning.model }),
    ...(meaning.tool !== undefined && { tool: meaning.tool }),
    ...(meaning.usage && { input_tokens: meaning.usage.input, output_tokens: meaning.usage.output }),
    ...(costMicros !== undefined && { cost_usd: inDollars(costMicros) }),
  };
}
