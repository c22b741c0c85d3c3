import { formatMicros } from '../../../kernel/instant.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import { fromKeyValues } from '../otlp/model.ts';
import type { SpanView } from '../schema.ts';
import { type StoredSpan, selectSpans } from './store.ts';

export interface TreeNode extends SpanView {
  readonly children: TreeNode[];
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const STATUSES = ['unset', 'ok', 'error'] as const;

export function viewOf({ seq, span, serviceName }: StoredSpan): SpanView {
  const start = BigInt(span.startTimeUnixNano);
  const end = BigInt(span.endTimeUnixNano);
  return {
    seq,
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId || null,
    name: span.name,
    kind: KINDS[span.kind] ?? 'unspecified',
    service: serviceName,
    start: formatMicros(Number(start / 1000n)),
    end: formatMicros(Number(end / 1000n)),
    duration_ms: Number(end - start) / 1e6,
    status: STATUSES[span.status?.code ?? 0] ?? 'unset',
    ...(span.status?.message && { status_message: span.status.message }),
    attributes: fromKeyValues(span.attributes),
    events: (span.events ?? []).map((event) => ({
      time: formatMicros(Number(BigInt(event.timeUnixNano) / 1000n)),
      name: event.name,
      attributes: fromKeyValues(event.attributes),
    })),
    ...(span.links && {
      links: span.links.map(({ traceId, spanId }) => ({ trace_id: traceId, span_id: spanId })),
    }),
  };
}

const MAX_TRACE_SPANS = 10_000;

export async function readTrace(reader: Reader, projectId: string, traceId: string) {
  const spans = await selectSpans(reader, projectId, { traceId, limit: MAX_TRACE_SPANS });
  if (spans.length === 0) throw relayErrors.trace_not_found();
  const roots = treeOf(spans.map(viewOf)) as unknown as Record<string, unknown>[];
  return { trace_id: traceId, spans: spans.length, roots };
}

/** Roots first by time; a span whose parent is elsewhere is a root here. */
export function treeOf(spans: readonly SpanView[]): TreeNode[] {
  const nodes = new Map(spans.map((span) => [span.span_id, { ...span, children: [] as TreeNode[] }]));
  const roots: TreeNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.parent_span_id === null ? undefined : nodes.get(node.parent_span_id);
    (parent && !isWithin(nodes, parent, node.span_id) ? parent.children : roots).push(node);
  }
  const byStart = (a: TreeNode, b: TreeNode) =>
    a.start.localeCompare(b.start) || a.name.localeCompare(b.name);
  for (const node of nodes.values()) node.children.sort(byStart);
  return roots.sort(byStart);
}

/** Whether a chain of parents comes back to `id`: then the spans lie about each other and one of them is a root. */
function isWithin(nodes: ReadonlyMap<string, SpanView>, from: SpanView, id: string): boolean {
  const seen = new Set<string>();
  for (let at: SpanView | undefined = from; at && !seen.has(at.span_id); ) {
    if (at.span_id === id) return true;
    seen.add(at.span_id);
    at = at.parent_span_id === null ? undefined : nodes.get(at.parent_span_id);
  }
  return false;
}
