import { getJson } from './backend.ts';
import type { ObservedSpan, SpanTree, TraceQuery } from './trace-query.ts';

/** Queries Baton's own collector. */
export function batonQuery(url: string, headers: Readonly<Record<string, string>>): TraceQuery {
  async function get<T>(path: string, ...query: readonly (readonly [string, string])[]): Promise<T> {
    const found = await getJson<T>({ url, headers }, `/v1/relay/${path}`, query);
    if (found === undefined) throw new Error(`the collector has no /v1/relay/${path}`);
    return found;
  }

  return {
    async session(sessionId) {
      type Session = { session_id: string; traces: number; spans: number };
      const { items } = await get<{ items: Session[] }>('sessions', ['limit', '1000']);
      return items.find(({ session_id }) => session_id === sessionId);
    },
    async spans(sessionId) {
      const ofSession = ['session_id', sessionId] as const;
      return (await get<{ items: ObservedSpan[] }>('spans', ofSession, ['limit', '500'])).items;
    },
    async graph(sessionId) {
      type Graph = { nodes: { id: string }[]; edges: { from: string; to: string }[] };
      const { nodes, edges } = await get<Graph>('graph', ['session_id', sessionId]);
      return { nodes: nodes.map(({ id }) => id), edges: edges.map(({ from, to }) => `${from} → ${to}`) };
    },
    tree: async (traceId) => (await get<{ roots: SpanTree[] }>(`traces/${traceId}`)).roots,
  };
}
