import { formatMicros } from '../../../kernel/instant.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import {
  type SpanOutline,
  type StoredSpan,
  selectOutline,
  selectSpans,
  selectSpansBySeq,
} from '../spans/store.ts';
import { selectPrices } from '../usage/price-store.ts';
import { priceList } from '../usage/prices.ts';
import { inDollars, rounded } from '../usage/stats.ts';
import { costOfUsage } from './cost.ts';
import { depthFirst } from './depth-first.ts';
import { MOST_TRACE_SPANS } from './operations.ts';
import type { WaterfallView } from './schema.ts';
import { selectUsageOfTraces } from './store.ts';
import { costOfSpan, hopOf, type UnderstoodSpan, understood } from './understood-span.ts';

const BODIES_AT_ONCE = 500;
const MOST_FAILED = 500;
const MOST_AGENTS = 20;
const FAILED = 2;

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

/** Which rows are asked for; all of them unless something is said. */
export interface RowsAsked {
  readonly from?: number | undefined;
  readonly limit?: number | undefined;
  /** The page that has this span, instead of the one that begins at `from`. */
  readonly around?: string | undefined;
}

/** Bodies are read only of the rows that are asked for: a trace of thousands of spans opens as fast as a short one. */
export async function readWaterfall(
  reader: Reader,
  projectId: string,
  traceId: string,
  asked: RowsAsked = {},
): Promise<WaterfallView> {
  const found = await selectOutline(reader, projectId, { traceId, limit: MOST_TRACE_SPANS + 1 });
  if (found.length === 0) throw relayErrors.trace_not_found();
  const outline = found.slice(0, MOST_TRACE_SPANS);
  const priceOf = priceList(await selectPrices(reader, projectId));
  const places = depthFirst(outline);
  const limit = asked.limit ?? MOST_TRACE_SPANS;
  const around = places.findIndex(({ span }) => span.span_id === asked.around);
  const from = around < 0 ? (asked.from ?? 0) : around - (around % limit);
  const page = places.slice(from, from + limit);
  const whole = new Map<number, UnderstoodSpan>();
  for (let at = 0; at < page.length; at += BODIES_AT_ONCE) {
    const seqs = page.slice(at, at + BODIES_AT_ONCE).map(({ span }) => span.seq);
    for (const stored of await selectSpansBySeq(reader, seqs)) {
      whole.set(stored.seq, understood(stored));
      await reader.giveTurn();
    }
  }
  const began = outline.reduce((least, { start_us }) => Math.min(least, start_us), Number.MAX_SAFE_INTEGER);
  const ended = outline.reduce((most, { end_us }) => Math.max(most, end_us), began);
  const failed = places.flatMap(({ span }, row) =>
    span.status === FAILED ? [{ row, span_id: span.span_id }] : [],
  );
  return {
    trace_id: traceId,
    session_id: outline.find(({ session_id }) => session_id !== null)?.session_id ?? null,
    start: formatMicros(began),
    duration_ms: (ended - began) / 1000,
    spans: outline.length,
    errors: failed.length,
    failed: failed.slice(0, MOST_FAILED),
    own_time: ownTime(outline),
    usage: costOfUsage(await selectUsageOfTraces(reader, projectId, [traceId]), priceOf),
    from,
    rows: page.flatMap(({ span, depth }) => {
      const own = whole.get(span.seq);
      return own ? [rowOf(own, depth, began, costOfSpan(own, priceOf))] : [];
    }),
    complete: found.length <= MOST_TRACE_SPANS,
  };
}

/** What each agent spent itself, without what it waited for; the busiest first. */
function ownTime(outline: readonly SpanOutline[]): { agent: string; ms: number }[] {
  const below = new Map<string, number>();
  for (const { parent_span_id, start_us, end_us } of outline)
    if (parent_span_id) below.set(parent_span_id, (below.get(parent_span_id) ?? 0) + end_us - start_us);
  const own = new Map<string, number>();
  for (const { agent, span_id, start_us, end_us } of outline)
    own.set(agent, (own.get(agent) ?? 0) + Math.max(0, end_us - start_us - (below.get(span_id) ?? 0)));
  return [...own]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_AGENTS)
    .map(([agent, micros]) => ({ agent, ms: rounded(micros / 1000) }));
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
