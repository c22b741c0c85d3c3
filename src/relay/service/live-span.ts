import type { Micros } from '../../kernel/clock.ts';
import type { Plain, PlainAttributes } from '../otlp/attributes.ts';
import { toKeyValues } from '../otlp/attributes.ts';
import type { OtlpLink, OtlpSpan } from '../otlp/model.ts';
import { type AttributeProfile, PROFILE_OF } from '../rules/attribute-registry.ts';
import { redactText } from '../rules/redact.ts';
import type { TraceContext } from '../rules/trace-context.ts';
import { truncateText } from '../rules/truncate.ts';

export const SPAN_KIND = { internal: 1, server: 2, client: 3 } as const;
export const SPAN_STATUS = { unset: 0, ok: 1, error: 2 } as const;

/** Of a span whose task changes state for ever, the first and the last changes are what matters. */
const MAX_EVENTS = 512;

export interface SpanStart {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly flags: number;
  readonly traceState: string | undefined;
  readonly start: Micros;
  readonly links?: readonly OtlpLink[];
}

interface LiveEvent {
  readonly at: Micros;
  readonly name: string;
  readonly attributes: PlainAttributes;
}

/** A span that is being written: plain until it ends, OTLP afterwards. */
export class LiveSpan {
  readonly start: SpanStart;
  readonly attributes: Record<string, Plain> = {};
  readonly events: LiveEvent[] = [];
  droppedEvents = 0;
  status: { code: number; message?: string } = { code: SPAN_STATUS.unset };
  endMicros: Micros | undefined;

  constructor(start: SpanStart) {
    this.start = start;
  }

  get context(): TraceContext {
    return { traceId: this.start.traceId, spanId: this.start.spanId, flags: this.start.flags };
  }

  set(attributes: Readonly<Record<string, Plain | undefined>>): this {
    for (const [key, value] of Object.entries(attributes))
      if (value !== undefined) this.attributes[key] = value;
    return this;
  }

  event(at: Micros, name: string, attributes: PlainAttributes): void {
    if (this.events.length >= MAX_EVENTS) {
      this.events.splice(MAX_EVENTS / 2, 1);
      this.droppedEvents += 1;
    }
    this.events.push({ at, name, attributes });
  }

  fail(message: string): void {
    this.status = { code: SPAN_STATUS.error, message };
  }
}

export interface FinishOptions {
  readonly redact: boolean;
  readonly profiles: ReadonlySet<AttributeProfile>;
}

/** Redact, then truncate, then OTLP: nothing leaves or is stored that did not come this way. */
export function finishSpan(span: LiveSpan, end: Micros, options: FinishOptions): OtlpSpan {
  let cut = 0;
  const clean = (key: string, value: Plain): Plain => {
    if (typeof value !== 'string') return value;
    const safe = options.redact && !FIXED.test(key) ? redactText(value, /(^|[._])id$/.test(key)) : value;
    const { text, cut: lost } = truncateText(safe);
    cut += lost;
    return text;
  };
  const cleaned = (attributes: PlainAttributes) =>
    Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, clean(key, value)]));
  const chosen = Object.fromEntries(
    Object.entries(span.attributes).filter(([key]) => options.profiles.has(PROFILE_OF.get(key) ?? 'o2r')),
  );
  const attributes = cleaned(chosen);
  const events = span.events.map(({ at, name, attributes: given }) => ({
    timeUnixNano: nanos(at),
    name,
    attributes: toKeyValues(cleaned(given)),
  }));
  if (cut > 0) attributes['o2r.truncated.bytes'] = cut;
  const { start } = span;
  const message =
    span.status.message === undefined ? undefined : String(clean('status', span.status.message));
  return {
    traceId: start.traceId,
    spanId: start.spanId,
    ...(start.traceState && { traceState: start.traceState }),
    ...(start.parentSpanId && { parentSpanId: start.parentSpanId }),
    flags: start.flags | 0x100,
    name: options.redact ? redactText(start.name, true) : start.name,
    kind: start.kind,
    startTimeUnixNano: nanos(start.start),
    endTimeUnixNano: nanos(Math.max(end, start.start)),
    attributes: toKeyValues(attributes),
    events,
    ...(span.droppedEvents > 0 && { droppedEventsCount: span.droppedEvents }),
    ...(start.links && { links: start.links }),
    status: { ...(span.status.code !== 0 && { code: span.status.code }), ...(message && { message }) },
  };
}

/** Values of these are words of our own, in which nothing can hide. */
const FIXED =
  /^(openinference\.span\.kind|agent\.role|rpc\.(system|service)|.*mime_type|o2r\.(method|relay\.mode|relay\.failure_class|task\.state|session\.source)|a2a\.(method\.name|protocol\.version|task\.state)|gen_ai\.operation\.name|from|to|ts|message\.role)$/;

export function nanos(micros: Micros): string {
  return `${micros}000`;
}
