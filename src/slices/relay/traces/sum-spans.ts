import type { Micros } from '../../../kernel/clock.ts';
import { readSpanBody } from '../spans/body.ts';
import { meaningOf, type SpanMeaning } from '../spans/conventions.ts';
import type { ArrivedSpan } from './summary-store.ts';

/** A span with what it means, whichever convention it was written in. */
export interface SummedSpan {
  readonly row: ArrivedSpan;
  readonly meaning: SpanMeaning;
  readonly statusMessage: string | undefined;
}

/** What some spans add to their trace. */
export interface TraceSums {
  readonly projectId: string;
  readonly traceId: string;
  name: string;
  rootSpanId: string | undefined;
  service: string;
  readonly sessions: string[];
  spans: number;
  errors: number;
  startMicros: Micros;
  lastStartMicros: Micros;
  endMicros: Micros;
  lastSeq: number;
}

export function understand(row: ArrivedSpan): SummedSpan {
  if (row.body === null) return { row, meaning: meaningOf(row.name, undefined), statusMessage: undefined };
  const span = readSpanBody(row.body);
  return { row, meaning: meaningOf(row.name, span.attributes), statusMessage: span.status?.message };
}

export function sumByTrace(spans: readonly SummedSpan[]): TraceSums[] {
  const traces = new Map<string, TraceSums>();
  for (const { row } of spans) {
    const key = JSON.stringify([row.project_id, row.trace_id]);
    const trace = traces.get(key) ?? emptyTrace(row);
    traces.set(key, trace);
    trace.spans += 1;
    trace.errors += row.status === FAILED ? 1 : 0;
    trace.startMicros = Math.min(trace.startMicros, row.start_us);
    trace.lastStartMicros = Math.max(trace.lastStartMicros, row.start_us);
    trace.endMicros = Math.max(trace.endMicros, row.end_us);
    trace.lastSeq = Math.max(trace.lastSeq, row.seq);
    if (row.parent_span_id === null && trace.rootSpanId === undefined) {
      trace.rootSpanId = row.span_id;
      trace.name = row.name;
      trace.service = row.service_name;
    }
    if (row.session_id && !trace.sessions.includes(row.session_id)) trace.sessions.push(row.session_id);
  }
  return [...traces.values()];
}

const FAILED = 2;

function emptyTrace(row: ArrivedSpan): TraceSums {
  return {
    projectId: row.project_id,
    traceId: row.trace_id,
    name: row.name,
    rootSpanId: undefined,
    service: row.service_name,
    sessions: [],
    spans: 0,
    errors: 0,
    startMicros: row.start_us,
    lastStartMicros: row.start_us,
    endMicros: row.end_us,
    lastSeq: row.seq,
  };
}
