import { formatMicros } from '../../../kernel/instant.ts';
import { selectRef } from '../../../spine/identity/sessions/session-store.ts';
import { groupBy } from '../../../spine/search/store/group-by.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import { selectSummaries } from '../spans/session-store.ts';
import { selectSpans } from '../spans/store.ts';
import { selectPrices } from '../usage/price-store.ts';
import { priceList } from '../usage/prices.ts';
import { costOfUsage } from './cost.ts';
import type { SessionView } from './schema.ts';
import { selectSessionMetrics } from './session-metrics-store.ts';
import { selectUsageOfTraces } from './store.ts';
import { hopOf, type UnderstoodSpan, understood } from './understood-span.ts';

export const MOST_SESSION_SPANS = 10_000;
const MOST_FAILURES = 20;
const MOST_SLOWEST = 10;
const TRACES_AT_ONCE = 200;
/** Under which names a session of spans may be known in the journal. */
const SCHEMES = ['a2a', 'claude-code', 'codex', 'gemini', 'opencode', 'cursor'];

/** Whole traces, also the spans that do not name the session. */
export async function spansOfSession(
  reader: Reader,
  projectId: string,
  sessionId: string,
): Promise<{ readonly spans: readonly UnderstoodSpan[]; readonly complete: boolean }> {
  const found = await selectSpans(reader, projectId, { sessionId, limit: MOST_SESSION_SPANS + 1 });
  if (found.length === 0) throw relayErrors.relay_session_not_found();
  const spans: UnderstoodSpan[] = [];
  for (const stored of found.slice(0, MOST_SESSION_SPANS)) {
    spans.push(understood(stored));
    await reader.giveTurn();
  }
  return { spans, complete: found.length <= MOST_SESSION_SPANS };
}

export async function readSession(
  reader: Reader,
  projectId: string,
  sessionId: string,
): Promise<SessionView> {
  const reported = await selectSessionMetrics(reader, projectId, sessionId);
  const { spans, complete } = await spansOfSession(reader, projectId, sessionId).catch((error: unknown) => {
    if (reported.length === 0) throw error;
    return { spans: [], complete: true };
  });
  const [summary] = await selectSummaries(reader, projectId, [sessionId]);
  if (!summary) throw relayErrors.relay_session_not_found();
  const priceOf = priceList(await selectPrices(reader, projectId));
  const traceIds = [...new Set(spans.map(({ view }) => view.trace_id))];
  const usages = [];
  for (let at = 0; at < traceIds.length; at += TRACES_AT_ONCE)
    usages.push(...(await selectUsageOfTraces(reader, projectId, traceIds.slice(at, at + TRACES_AT_ONCE))));
  const parents = new Set(spans.map(({ view }) => view.parent_span_id));
  const longest = (a: UnderstoodSpan, b: UnderstoodSpan) => b.view.duration_ms - a.view.duration_ms;
  const leaves = spans.filter(({ view }) => !parents.has(view.span_id));
  return {
    session_id: sessionId,
    journal_session: await journalSession(reader, projectId, sessionId),
    traces: summary.traces,
    spans: summary.spans,
    errors: summary.errors,
    agents: [...new Set(spans.map(({ agent }) => agent).filter(Boolean))].sort(),
    first_at: formatMicros(summary.first_us),
    last_at: formatMicros(summary.last_us),
    usage: costOfUsage(usages, priceOf),
    models: [...groupBy(usages, ({ model }) => model ?? '')].map(([model, own]) => ({
      model,
      calls: own.reduce((sum, { calls }) => sum + calls, 0),
      ...costOfUsage(own, priceOf),
    })),
    failures: spans
      .filter(({ view }) => view.status === 'error')
      .slice(0, MOST_FAILURES)
      .map(hopOf),
    slowest: leaves.sort(longest).slice(0, MOST_SLOWEST).map(hopOf),
    reported,
    complete,
  };
}

async function journalSession(reader: Reader, projectId: string, value: string) {
  for (const scheme of SCHEMES) {
    const session = await selectRef(reader, projectId, scheme, value);
    if (session) return { session_id: session.sessionId, callsign: session.callsign, scheme };
  }
  return null;
}
