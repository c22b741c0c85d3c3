import { type ObservedSpan, type SpanTree, type TraceQuery, textAt } from './trace-query.ts';

/** The queries of a backend that knows spans and traces but neither sessions nor agents. */
export interface SpanQuery {
  spansOfSession(sessionId: string): Promise<readonly ObservedSpan[]>;
  spansOfTrace(traceId: string): Promise<readonly ObservedSpan[]>;
}

/** Derives sessions, graph and trees from the attributes of the spans. */
export function derivedQuery({ spansOfSession, spansOfTrace }: SpanQuery): TraceQuery {
  return {
    async session(sessionId) {
      const spans = await spansOfSession(sessionId);
      if (spans.length === 0) return undefined;
      return { spans: spans.length, traces: new Set(spans.map(({ trace_id }) => trace_id)).size };
    },
    spans: spansOfSession,
    async graph(sessionId) {
      const nodes = new Set<string>();
      const edges = new Set<string>();
      for (const span of await spansOfSession(sessionId)) {
        const node = textAt(span, 'graph.node.id') || textAt(span, 'agent.id');
        const parent = textAt(span, 'graph.node.parent_id');
        for (const id of [node, parent]) if (id) nodes.add(id);
        if (node && parent) edges.add(`${parent} → ${node}`);
      }
      return { nodes: [...nodes], edges: [...edges] };
    },
    tree: async (traceId) => rootsOf(await spansOfTrace(traceId)),
  };
}

/** A span whose parent is not among them is a root. */
function rootsOf(spans: readonly ObservedSpan[]): SpanTree[] {
  const known = new Set(spans.map(({ span_id }) => span_id));
  const below = (parent: ObservedSpan): SpanTree => ({
    ...parent,
    children: spans.filter(({ parent_span_id }) => parent_span_id === parent.span_id).map(below),
  });
  return spans.filter(({ parent_span_id }) => !parent_span_id || !known.has(parent_span_id)).map(below);
}
