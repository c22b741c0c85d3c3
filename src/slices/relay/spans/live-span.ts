import { apart } from '../../../kernel/apart.ts';
import type { Micros } from '../../../kernel/clock.ts';
import {
  type KeyValue,
  type OtlpLink,
  type OtlpSpan,
  type Plain,
  type PlainAttributes,
  toAnyValue,
  toKeyValues,
} from '../otlp/model.ts';
import { ATTR, type AttributeName, type AttributeProfile, PROFILE_OF } from './attribute-registry.ts';
import { MAX_SHOWN_CHARS } from './capped-parts.ts';
import { redactText } from './redact.ts';
import type { TraceContext } from './trace-context.ts';

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
  readonly links: readonly OtlpLink[] | undefined;
}

export type AttributeValues = { readonly [Name in AttributeName]?: Plain | undefined };

interface LiveEvent {
  readonly at: Micros;
  readonly name: string;
  readonly attributes: PlainAttributes;
}

/** A span that is being written: plain until it ends, OTLP afterwards. */
export class LiveSpan {
  readonly start: SpanStart;
  readonly attributes = new Map<string, Plain>();
  readonly events: LiveEvent[] = [];
  droppedEvents = 0;
  /** How much of what its attributes would say was left out of them. */
  cut = 0;
  status: { code: number; message?: string } = { code: SPAN_STATUS.unset };
  endMicros: Micros | undefined;

  constructor(start: SpanStart) {
    this.start = start;
  }

  get context(): TraceContext {
    return { traceId: this.start.traceId, spanId: this.start.spanId, flags: this.start.flags };
  }

  /** By the names of the registry; what is undefined is not said. */
  set(values: AttributeValues): this {
    for (const name in values) {
      const value = values[name as AttributeName];
      if (value !== undefined) this.attributes.set(ATTR[name as AttributeName], value);
    }
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
  let cut = span.cut;
  const cleanText = (text: string, secrecy: Secrecy): string => {
    const most = text.length > MAX_SHOWN_CHARS ? text.slice(0, MAX_SHOWN_CHARS) : text;
    if (most !== text) cut += text.length - most.length;
    const safe = options.redact && secrecy !== 'fixed' ? redacted(most, secrecy === 'id') : most;
    if (safe.length <= SHORT) return safe;
    const truncated = truncateText(safe);
    cut += truncated.cut;
    return truncated.text;
  };
  const written = (key: string, value: Plain): KeyValue => ({
    key,
    value: toAnyValue(typeof value === 'string' ? cleanText(value, secrecyOf(key)) : value),
  });
  const attributes: KeyValue[] = [];
  for (const [key, value] of span.attributes) {
    if (options.profiles.has(PROFILE_OF.get(key) ?? 'o2r')) attributes.push(written(key, value));
  }
  const events = span.events.map(({ at, name, attributes: given }) => ({
    timeUnixNano: nanos(at),
    name,
    attributes: Object.keys(given).map((key) => written(key, given[key] as Plain)),
  }));
  const { start } = span;
  const message = span.status.message === undefined ? undefined : cleanText(span.status.message, 'text');
  if (cut > 0) attributes.push({ key: ATTR.truncatedBytes, value: toAnyValue(cut) });
  return {
    traceId: start.traceId,
    spanId: start.spanId,
    ...(start.traceState && { traceState: start.traceState }),
    ...(start.parentSpanId && { parentSpanId: start.parentSpanId }),
    flags: start.flags | 0x100,
    name: cleanText(start.name, 'id'),
    kind: start.kind,
    startTimeUnixNano: nanos(start.start),
    endTimeUnixNano: nanos(Math.max(end, start.start)),
    attributes,
    events,
    ...(span.droppedEvents > 0 && { droppedEventsCount: span.droppedEvents }),
    ...(start.links && { links: start.links }),
    status: { ...(span.status.code !== 0 && { code: span.status.code }), ...(message && { message }) },
  };
}

/** The finished span with marks of our own on it, such as where the journal tells of it. */
export function markSpan(span: OtlpSpan, marks: PlainAttributes, { profiles }: FinishOptions): OtlpSpan {
  const wanted = Object.entries(marks).filter(([key]) => profiles.has(PROFILE_OF.get(key) ?? 'o2r'));
  return { ...span, attributes: [...(span.attributes ?? []), ...toKeyValues(Object.fromEntries(wanted))] };
}

/** Words of our own, in which nothing can hide; ids, in which digits in a row mean nothing; anything else. */
type Secrecy = 'fixed' | 'id' | 'text';

const FIXED =
  /^(openinference\.span\.kind|agent\.role|rpc\.(system|service)|.*mime_type|o2r\.(method|request\.(version|binding|digest)|relay\.mode|relay\.failure_class|task\.state|session\.source)|a2a\.(method\.name|protocol\.version|task\.state)|gen_ai\.operation\.name|from|to|ts|message\.role|sources)$/;

const secrecies = new Map<string, Secrecy>();

function secrecyOf(key: string): Secrecy {
  let secrecy = secrecies.get(key);
  if (secrecy === undefined) {
    secrecy = FIXED.test(key) ? 'fixed' : /(^|[._])id$/.test(key) ? 'id' : 'text';
    if (secrecies.size < 1_000) secrecies.set(key, secrecy);
  }
  return secrecy;
}

const SHORT = 200;
const KEPT_TEXTS = 2_000;
const safeIds = new Map<string, string>();
const safeTexts = new Map<string, string>();

/** Names, ids and methods come again in every span of an exchange, and looking through them is most of its cost. */
function redacted(text: string, isId: boolean): string {
  if (text.length > SHORT) return isId ? redactText(text, isId) : redactedLong(text);
  const known = isId ? safeIds : safeTexts;
  let safe = known.get(text);
  if (safe === undefined) {
    const own = apart(text);
    safe = redactText(own, isId);
    if (known.size >= KEPT_TEXTS) known.clear();
    known.set(own, safe);
  }
  return safe;
}

const MOST_LONG_CHARS = 2 * 1024 * 1024;
const safeLong = new Map<string, string>();
let longChars = 0;

/** What is said stands in several spans of its exchange, and in the log before: it is looked through once. */
function redactedLong(text: string): string {
  const known = safeLong.get(text);
  if (known !== undefined) return known;
  const own = apart(text);
  const safe = redactText(own);
  longChars += own.length + safe.length;
  safeLong.set(own, safe);
  for (const [oldest, its] of safeLong) {
    if (longChars <= MOST_LONG_CHARS) break;
    longChars -= oldest.length + its.length;
    safeLong.delete(oldest);
  }
  return safe;
}

export function nanos(micros: Micros): string {
  return `${micros}000`;
}

const MAX_ATTRIBUTE_BYTES = 64 * 1024;

const MARKER = '…[truncated]';
const encoder = new TextEncoder();

export interface Truncated {
  readonly text: string;
  /** How many bytes of UTF-8 were cut off. */
  readonly cut: number;
}

/** Cuts between code points, so that what is left is text. */
export function truncateText(text: string, maxBytes = MAX_ATTRIBUTE_BYTES): Truncated {
  if (text.length * 3 <= maxBytes) return { text, cut: 0 };
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return { text, cut: 0 };
  let end = Math.max(0, maxBytes - encoder.encode(MARKER).length);
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return { text: new TextDecoder().decode(bytes.subarray(0, end)) + MARKER, cut: bytes.length - end };
}
