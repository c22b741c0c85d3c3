/** A finished span as a backend answers it to a query: all that the checks look at. */
export interface ObservedSpan {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly name: string;
  /** Of one width and in UTC, so that their order is the order of the text. */
  readonly start: string;
  readonly end: string;
  readonly status: 'unset' | 'ok' | 'error';
  readonly status_message?: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
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
  /** `from → to`: who handed over to whom. */
  readonly edges: readonly string[];
}

/** What a backend of spans is asked. An adapter translates its answers and judges nothing. */
export interface TraceQuery {
  /** How many traces and spans belong to a session, as the backend counts them. */
  session(sessionId: string): Promise<{ readonly traces: number; readonly spans: number } | undefined>;
  spans(sessionId: string): Promise<readonly ObservedSpan[]>;
  graph(sessionId: string): Promise<AgentGraph>;
  /** The roots of one trace with all that hangs below them. */
  tree(traceId: string): Promise<readonly SpanTree[]>;
}
