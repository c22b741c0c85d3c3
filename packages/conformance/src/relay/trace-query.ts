import type { LooseRecord } from '../../../../src/kernel/json/loose.ts';

/** A finished span as a backend returns it: all that the checks look at. */
export interface ObservedSpan {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly name: string;
  /** In UTC and of one width, so that instants compare as text. */
  readonly start: string;
  readonly end: string;
  readonly status: 'unset' | 'ok' | 'error';
  readonly status_message?: string | undefined;
  readonly attributes: LooseRecord;
  readonly events: readonly { readonly name: string; readonly attributes: LooseRecord }[];
}

export function textAt(span: Pick<ObservedSpan, 'attributes'>, key: string): string {
  const value = span.attributes[key];
  return typeof value === 'string' ? value : '';
}

export interface SpanTree extends ObservedSpan {
  readonly children: readonly SpanTree[];
}

export interface AgentGraph {
  readonly nodes: readonly string[];
  /** `from → to` for each handover. */
  readonly edges: readonly string[];
}

/** The queries that a trace backend must answer. An adapter translates; it judges nothing. */
export interface TraceQuery {
  /** How many traces and spans belong to a session, as the backend counts them. */
  session(sessionId: string): Promise<{ readonly traces: number; readonly spans: number } | undefined>;
  spans(sessionId: string): Promise<readonly ObservedSpan[]>;
  graph(sessionId: string): Promise<AgentGraph>;
  /** The roots of one trace with their descendants. */
  tree(traceId: string): Promise<readonly SpanTree[]>;
}
