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

/** Asks Grafana Tempo: a search by TraceQL for the traces of a session, then each trace by its id. */
export function tempoQuery(backend: Backend): TraceQuery {
  const start = Math.floor(backend.since / 1e6);
  // With both of these Tempo looks into what it has stored as well as into what it still holds.
  const within = [
    ['start', String(start)],
    ['end', String(start + HOUR_SECONDS)],
  ] as const;

  async function tracesOf(sessionId: string): Promise<string[]> {
    const found = (await getJson(backend, '/api/search', [
      ['q', `{ span.session.id = ${JSON.stringify(sessionId)} }`],
      ['limit', MANY_TRACES],
      ...within,
    ])) as { readonly traces?: readonly { readonly traceID: string }[] } | undefined;
    // Leading zeros are left out there.
    return (found?.traces ?? []).map(({ traceID }) => traceID.padStart(32, '0'));
  }

  async function spansOfTrace(traceId: string): Promise<ObservedSpan[]> {
    const trace = (await getJson(backend, `/api/traces/${traceId}`)) as TempoTrace | undefined;
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
