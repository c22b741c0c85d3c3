import type { SpanView } from '../schema.ts';
import { meaningOf, type SpanMeaning } from '../spans/conventions.ts';
import type { StoredSpan } from '../spans/store.ts';
import { viewOf } from '../spans/views.ts';
import type { PriceOf } from '../usage/prices.ts';

/** A span as it is shown, with what it means. */
export interface UnderstoodSpan {
  readonly view: SpanView;
  readonly meaning: SpanMeaning;
  readonly agent: string;
  /** Who worked, or who called whom. */
  readonly label: string;
  readonly startMicros: number;
}

export function understood(stored: StoredSpan): UnderstoodSpan {
  const view = viewOf(stored);
  const meaning = meaningOf(view.name, stored.span.attributes);
  const agent = meaning.agent ?? view.service;
  const from = textOf(view.attributes['graph.node.parent_id']);
  const to = textOf(view.attributes['graph.node.id']) ?? agent;
  return {
    view,
    meaning,
    agent,
    label: from && from !== to ? `${from} → ${to}` : to,
    startMicros: Number(BigInt(stored.span.startTimeUnixNano) / 1000n),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function hopOf({ view, meaning, label }: UnderstoodSpan) {
  return {
    trace_id: view.trace_id,
    span_id: view.span_id,
    name: view.name,
    label,
    kind: meaning.kind,
    duration_ms: view.duration_ms,
    status: view.status,
    ...(view.status_message !== undefined && { status_message: view.status_message }),
  };
}

/** In millionths of a dollar; undefined where nobody knows. */
export function costOfSpan({ meaning, startMicros }: UnderstoodSpan, priceOf: PriceOf): number | undefined {
  if (meaning.costMicros !== undefined) return meaning.costMicros;
  return meaning.model !== undefined && meaning.usage
    ? priceOf(meaning.model, meaning.usage, startMicros)
    : undefined;
}
