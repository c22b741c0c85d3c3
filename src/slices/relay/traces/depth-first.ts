export interface InTree {
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly start_us: number;
  readonly name: string;
}

/**
 * The spans in the order of their tree, each with its depth; siblings by time. A span whose parent is elsewhere is a root,
 * and so is the earliest of those that name each other in a circle.
 */
export function depthFirst<T extends InTree>(
  spans: readonly T[],
): { readonly span: T; readonly depth: number }[] {
  const sorted = [...spans].sort((a, b) => a.start_us - b.start_us || a.name.localeCompare(b.name));
  const known = new Set(sorted.map(({ span_id }) => span_id));
  const children = new Map<string, T[]>();
  const roots: T[] = [];
  for (const span of sorted) {
    const parent = span.parent_span_id;
    if (parent === null || parent === span.span_id || !known.has(parent)) roots.push(span);
    else if (!children.get(parent)?.push(span)) children.set(parent, [span]);
  }
  const rows: { span: T; depth: number }[] = [];
  const placed = new Set<string>();
  for (const root of [...roots, ...sorted]) {
    const waiting = [{ span: root, depth: 0 }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { span, depth } = next;
      if (placed.has(span.span_id)) continue;
      placed.add(span.span_id);
      rows.push(next);
      for (const child of (children.get(span.span_id) ?? []).toReversed())
        waiting.push({ span: child, depth: depth + 1 });
    }
  }
  return rows;
}
