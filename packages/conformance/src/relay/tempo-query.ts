import { type Backend, getJson } from './backend.ts';
import { derivedQuery } from './derived-query.ts';
import { type JsonSpan, observed } from './otlp-json.ts';
import { type ObservedSpan, type TraceQuery, textAt } from './trace-query.ts';

interface TempoTrace {
  readonly batches?: readonly TempoBatch[];
  readonly resourceSpans?: readonly TempoBatch[];
}

interface TempoBatch {
  readonly scopeSpans?: readonly { readonly spans?: readonly JsonSpan[] }[];
}

const MANY_TRACES = '200';
const HOUR_SECONDS = 3_600;

/** Queries Grafana Tempo: a TraceQL search for the traces of a session, then each trace by its id. */
export function tempoQuery(backend: Backend): TraceQuery {
  const since = Math.floor(backend.since / 1e6);
  // Given both, Tempo searches its storage as well as what it still holds in memory. It moves an end that is still to come
  // to the present second, and refuses a start that is not before it.
  const within = [
    ['start', String(since - HOUR_SECONDS)],
    ['end', String(since + HOUR_SECONDS)],
  ] as const;

  async function tracesOf(sessionId: string): Promise<string[]> {
    const found = await getJson<{ traces?: { traceID: string }[] }>(backend, '/api/search', [
      ['q', `{ span.session.id = ${JSON.stringify(sessionId)} }`],
      ['limit', MANY_TRACES],
      ...within,
    ]);
    // Tempo drops leading zeros.
    return (found?.traces ?? []).map(({ traceID }) => traceID.padStart(32, '0'));
  }

  async function spansOfTrace(traceId: string): Promise<ObservedSpan[]> {
    const trace = await getJson<TempoTrace>(backend, `/api/traces/${traceId}`);
    return [...(trace?.batches ?? []), ...(trace?.resourceSpans ?? [])].flatMap(({ scopeSpans = [] }) =>
      scopeSpans.flatMap(({ spans = [] }) => spans.map(observed)),
    );
  }

  return derivedQuery({
    spansOfTrace,
    async spansOfSession(sessionId) {
      const traces = await Promise.all((await tracesOf(sessionId)).map(spansOfTrace));
      return traces.flat().filter((span) => textAt(span, 'session.id') === sessionId);
    },
  });
}
