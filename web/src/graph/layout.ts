import dagre from '@dagrejs/dagre';

export interface Sized {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export interface Joined {
  readonly from: string;
  readonly to: string;
}

export interface Layout {
  readonly places: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
  readonly width: number;
  readonly height: number;
}

/** Where each node is drawn, by its upper left corner. Edges to nowhere and to itself do not count. */
export function layoutOf(nodes: readonly Sized[], edges: readonly Joined[], direction: 'LR' | 'TB'): Layout {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({
    rankdir: direction,
    nodesep: 20,
    ranksep: direction === 'LR' ? 150 : 76,
    marginx: 8,
    marginy: 8,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const { from, to } of edges) {
    if (from !== to && graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to);
  }
  dagre.layout(graph);
  const places = nodes.map(({ id, width, height }) => {
    const { x, y } = graph.node(id) as { x: number; y: number };
    return [id, { x: x - width / 2, y: y - height / 2 }] as const;
  });
  const { width = 0, height = 0 } = graph.graph();
  return { places: new Map(places), width: finite(width), height: finite(height) };
}

/** Of a graph without nodes there is no size. */
const finite = (size: number) => (Number.isFinite(size) ? size : 0);
