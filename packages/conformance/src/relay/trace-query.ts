import type { ObservedSpan } from './observed-span.ts';

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
