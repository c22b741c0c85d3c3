export interface Timed {
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly trace_id: string;
  readonly start: string;
  readonly end: string;
  readonly duration_ms: number;
}

export interface WaterfallRow<S extends Timed> {
  readonly span: S;
  readonly depth: number;
  /** Where its bar begins and how long it is, as shares of the whole trace. */
  readonly from: number;
  readonly share: number;
}

export interface Waterfall<S extends Timed> {
  readonly traceId: string;
  readonly startedAt: string;
  readonly duration: number;
  readonly rows: readonly WaterfallRow<S>[];
}

/** Each trace as rows from top to bottom: a parent above its children, siblings by time. The latest trace first. */
export function waterfalls<S extends Timed>(spans: readonly S[]): Waterfall<S>[] {
  const traces = new Map<string, S[]>();
  for (const span of spans) traces.set(span.trace_id, [...(traces.get(span.trace_id) ?? []), span]);
  return [...traces]
    .map(([traceId, members]) => waterfallOf(traceId, members))
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

function waterfallOf<S extends Timed>(traceId: string, spans: readonly S[]): Waterfall<S> {
  const byStart = spans.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
  const begin = Math.min(...spans.map(({ start }) => Date.parse(start)));
  const end = Math.max(...spans.map((span) => Date.parse(span.start) + span.duration_ms));
  const duration = end - begin;
  const known = new Set(spans.map(({ span_id }) => span_id));
  const children = new Map<string | null, S[]>();
  for (const span of byStart) {
    const parent =
      span.parent_span_id !== null && known.has(span.parent_span_id) ? span.parent_span_id : null;
    children.set(parent, [...(children.get(parent) ?? []), span]);
  }
  const rows: WaterfallRow<S>[] = [];
  const placed = new Set<string>();
  const place = (span: S, depth: number): void => {
    if (placed.has(span.span_id)) return;
    placed.add(span.span_id);
    rows.push({
      span,
      depth,
      from: duration > 0 ? (Date.parse(span.start) - begin) / duration : 0,
      share: duration > 0 ? span.duration_ms / duration : 1,
    });
    for (const child of children.get(span.span_id) ?? []) place(child, depth + 1);
  };
  for (const root of children.get(null) ?? []) place(root, 0);
  // Spans that name each other as parents have no root: they are shown all the same.
  for (const span of byStart) place(span, 0);
  return { traceId, startedAt: byStart[0]?.start ?? '', duration, rows };
}
