export interface Edge {
  readonly from: string;
  readonly to: string;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** The upper left corner of each node. */
  readonly places: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
}

export interface NodeSize {
  readonly width: number;
  readonly height: number;
  readonly gapX: number;
  readonly gapY: number;
}

const SWEEPS = 4;

/** From left to right: a node stands behind all that lead to it, near to the middle of them. Circles are cut where they close. */
export function layeredLayout(ids: readonly string[], edges: readonly Edge[], size: NodeSize): Layout {
  const forward = withoutCircles(ids, edges);
  const layers = ordered(layersOf(ids, forward), forward);
  const tallest = Math.max(0, ...layers.map((layer) => layer.length));
  const height = span(tallest, size.height, size.gapY);
  const places = new Map<string, { x: number; y: number }>();
  layers.forEach((layer, column) => {
    const top = (height - span(layer.length, size.height, size.gapY)) / 2;
    layer.forEach((id, row) => {
      places.set(id, {
        x: column * (size.width + size.gapX),
        y: top + row * (size.height + size.gapY),
      });
    });
  });
  return { width: span(layers.length, size.width, size.gapX), height, places };
}

function span(count: number, length: number, gap: number): number {
  return count === 0 ? 0 : count * length + (count - 1) * gap;
}

/** Leaves out what leads nowhere, to itself, or back to where one came from. */
function withoutCircles(ids: readonly string[], edges: readonly Edge[]): Edge[] {
  const known = new Set(ids);
  const out = new Map<string, Edge[]>();
  for (const edge of edges) {
    if (!known.has(edge.from) || !known.has(edge.to) || edge.from === edge.to) continue;
    out.set(edge.from, [...(out.get(edge.from) ?? []), edge]);
  }
  const kept: Edge[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (id: string): void => {
    state.set(id, 'open');
    for (const edge of out.get(id) ?? []) {
      if (state.get(edge.to) === 'open') continue;
      kept.push(edge);
      if (!state.has(edge.to)) visit(edge.to);
    }
    state.set(id, 'done');
  };
  const targets = new Set(edges.map(({ to }) => to));
  for (const id of [...ids.filter((each) => !targets.has(each)), ...ids]) if (!state.has(id)) visit(id);
  return kept;
}

/** The longest way to a node says how far right it stands. */
function layersOf(ids: readonly string[], edges: readonly Edge[]): string[][] {
  const into = new Map<string, string[]>();
  for (const { from, to } of edges) into.set(to, [...(into.get(to) ?? []), from]);
  const depth = new Map<string, number>();
  const depthOf = (id: string): number => {
    const known = depth.get(id);
    if (known !== undefined) return known;
    const found = Math.max(-1, ...(into.get(id) ?? []).map(depthOf)) + 1;
    depth.set(id, found);
    return found;
  };
  const layers: string[][] = [];
  for (const id of ids) {
    const at = depthOf(id);
    while (layers.length <= at) layers.push([]);
    layers[at]?.push(id);
  }
  return layers;
}

/** Goes over the layers a few times and puts each node near the middle of its neighbours, so that fewer lines cross. */
function ordered(layers: readonly string[][], edges: readonly Edge[]): string[][] {
  let current = layers.map((layer) => [...layer]);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const rows = new Map(
      current.flatMap((layer) => layer.map((id, row) => [id, row / layer.length] as const)),
    );
    const neighbours = (id: string) =>
      edges.flatMap(({ from, to }) =>
        sweep % 2 === 0 ? (to === id ? [from] : []) : from === id ? [to] : [],
      );
    const middle = (id: string) => {
      const around = neighbours(id).map((other) => rows.get(other) ?? 0);
      return around.length === 0
        ? (rows.get(id) ?? 0)
        : around.reduce((sum, row) => sum + row, 0) / around.length;
    };
    current = current.map((layer) =>
      layer
        .map((id) => ({ id, at: middle(id) }))
        .sort((a, b) => a.at - b.at)
        .map(({ id }) => id),
    );
  }
  return current;
}
