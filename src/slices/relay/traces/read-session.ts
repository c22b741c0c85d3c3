import { formatMicros } from '../../../kernel/instant.ts';
import { selectRef } from '../../../spine/identity/sessions/session-store.ts';
import { groupBy } from '../../../spine/search/store/group-by.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import { selectSummaries } from '../spans/session-store.ts';
import { selectAgents, selectLongestLeaves, selectSpans } from '../spans/store.ts';
import { selectPrices } from '../usage/price-store.ts';
import { priceList } from '../usage/prices.ts';
import { costOfUsage } from './cost.ts';
import type { SessionView } from './schema.ts';
import { selectSessionMetrics } from './session-metrics-store.ts';
import { selectUsageOfSession } from './store.ts';
import { hopOf, type UnderstoodSpan, understood } from './understood-span.ts';

const MOST_SESSION_SPANS = 10_000;
const MOST_FAILURES = 20;
const MOST_SLOWEST = 10;
const MOST_TRACES = 10_000;
const MOST_AGENTS = 1000;
const FAILED = 2;
/** Under which names a session of spans may be known in the journal. */
const SCHEMES = ['a2a', 'claude-code', 'codex', 'gemini', 'opencode', 'cursor'];

/** What was said in whole traces, also by spans that do not name the session. */
export async function turnsOfSession(
  reader: Reader,
  projectId: string,
  sessionId: string,
): Promise<{ readonly spans: readonly UnderstoodSpan[]; readonly complete: boolean }> {
  const limit = MOST_SESSION_SPANS + 1;
  const found = await selectSpans(reader, projectId, { sessionId, turns: true, limit });
  if (found.length === 0 && (await selectSpans(reader, projectId, { sessionId, limit: 1 })).length === 0)
    throw relayErrors.relay_session_not_found();
  const spans: UnderstoodSpan[] = [];
  for (const stored of found.slice(0, MOST_SESSION_SPANS)) {
    spans.push(understood(stored));
    await reader.giveTurn();
  }
  return { spans, complete: found.length <= MOST_SESSION_SPANS };
}

/** Summed up by the engine; bodies are read only of the few spans that are named. */
export async function readSession(
  reader: Reader,
  projectId: string,
  sessionId: string,
): Promise<SessionView> {
  const reported = await selectSessionMetrics(reader, projectId, sessionId);
  const [summary] = await selectSummaries(reader, projectId, [sessionId]);
  if (!summary || (summary.spans === 0 && reported.length === 0)) throw relayErrors.relay_session_not_found();
  const priceOf = priceList(await selectPrices(reader, projectId));
  const usages = await selectUsageOfSession(reader, projectId, sessionId, MOST_TRACES);
  const failures = await selectSpans(reader, projectId, { sessionId, status: FAILED, limit: MOST_FAILURES });
  const slowest = await selectLongestLeaves(reader, projectId, sessionId, MOST_SLOWEST);
  return {
    session_id: sessionId,
    journal_session: await journalSession(reader, projectId, sessionId),
    traces: summary.traces,
    spans: summary.spans,
    errors: summary.errors,
    agents: (await selectAgents(reader, projectId, sessionId, MOST_AGENTS)).sort(),
    first_at: formatMicros(summary.first_us),
    last_at: formatMicros(summary.last_us),
    usage: costOfUsage(usages, priceOf),
    models: [...groupBy(usages, ({ model }) => model ?? '')].map(([model, own]) => ({
      model,
      calls: own.reduce((sum, { calls }) => sum + calls, 0),
      ...costOfUsage(own, priceOf),
    })),
    failures: failures.map((stored) => hopOf(understood(stored))),
    slowest: slowest.map((stored) => hopOf(understood(stored))),
    reported,
    complete: summary.traces <= MOST_TRACES,
  };
}

async function journalSession(reader: Reader, projectId: string, value: string) {
  for (const scheme of SCHEMES) {
    const session = await selectRef(reader, projectId, scheme, value);
    if (session) return { session_id: session.sessionId, callsign: session.callsign, scheme };
  }
  return null;
}
