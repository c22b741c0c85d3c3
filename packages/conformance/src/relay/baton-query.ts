import type { ObservedSpan, SpanTree, TraceQuery } from './trace-query.ts';

const PAGE = 500;

/** Asks Baton's own collector. */
export function batonQuery(collector: string, headers: Readonly<Record<string, string>>): TraceQuery {
  async function get<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
    const url = new URL(`${collector}/v1/relay/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await fetch(url, { headers: { ...headers } });
    if (!response.ok) throw new Error(`the collector answered ${response.status} to ${url.pathname}`);
    return (await response.json()) as T;
  }

  return {
    async session(sessionId) {
      const { items } = await get<{ items: { session_id: string; traces: number; spans: number }[] }>(
        'sessions',
        { limit: '1000' },
      );
      return items.find(({ session_id }) => session_id === sessionId);
    },
    async spans(sessionId) {
      const { items } = await get<{ items: ObservedSpan[] }>('spans', {
        session_id: sessionId,
        limit: String(PAGE),
      });
      return items;
    },
    async graph(sessionId) {
      const { nodes, edges } = await get<{ nodes: { id: string }[]; edges: { from: string; to: string }[] }>(
        'graph',
        { session_id: sessionId },
      );
      return { nodes: nodes.map(({ id }) => id), edges: edges.map(({ from, to }) => `${from} → ${to}`) };
    },
    tree: async (traceId) => (await get<{ roots: SpanTree[] }>(`traces/${traceId}`)).roots,
  };
}
