import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { BatonError } from '../../../kernel/error.ts';
import { asRecords, isRecord, member } from '../../../kernel/json/loose.ts';
import { readPlain } from '../../../kernel/json/reader.ts';
import { giveTurn } from '../../../platform/turn.ts';
import { relayErrors } from '../errors.ts';
import { exportRequestFields, type Message } from './fields.ts';
import type {
  AnyValue,
  ExportRequest,
  KeyValue,
  OtlpEvent,
  OtlpLink,
  OtlpResource,
  OtlpScope,
  OtlpSpan,
} from './model.ts';
import { decodeLarge } from './protobuf-reader.ts';

export type OtlpFormat = 'protobuf' | 'json';

export const MAX_EXPORT_BYTES = 16 * 1024 * 1024;
/** What 10 MB of spans with short attributes have; an exporter's batch has 512 spans, some 12,000 values. */
const MAX_EXPORT_VALUES = 1_200_000;
/** JSON is read in one go, so that it may have fewer. */
const MAX_JSON_VALUES = 200_000;

const unpack = { gzip: promisify(gunzip), deflate: promisify(inflate) };

export function formatOf(contentType: string | null): OtlpFormat | undefined {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-protobuf') return 'protobuf';
  return type === 'application/json' ? 'json' : undefined;
}

/** The request of one signal; spans, unless the fields of another are given. */
export async function readExport<T extends object = ExportRequest>(
  bytes: Uint8Array,
  format: OtlpFormat,
  coding: string | null,
  fields: Message = exportRequestFields,
): Promise<T> {
  const plain = await unpacked(bytes, coding?.trim().toLowerCase() || 'identity');
  if (format === 'protobuf') return (await decodeLarge(fields, plain, MAX_EXPORT_VALUES)) as T;
  try {
    const read = readPlain(plain, {
      maxDepth: 100,
      maxBytes: MAX_EXPORT_BYTES,
      maxValues: MAX_JSON_VALUES,
    });
    if (!isRecord(read)) throw relayErrors.invalid_otlp({ message: 'An export is a JSON object.' });
    return read as T;
  } catch (cause) {
    if (cause instanceof BatonError && cause.code === 'too_large')
      throw relayErrors.export_too_large({ message: cause.message, cause });
    if (cause instanceof BatonError) throw relayErrors.invalid_otlp({ message: cause.message, cause });
    throw cause;
  }
}

async function unpacked(bytes: Uint8Array, coding: string): Promise<Uint8Array> {
  if (coding === 'identity') return bytes;
  const unpacker = unpack[coding as keyof typeof unpack];
  if (!unpacker) throw relayErrors.invalid_otlp({ message: `The coding ${coding} is not known here.` });
  try {
    return await unpacker(bytes, { maxOutputLength: MAX_EXPORT_BYTES });
  } catch (cause) {
    throw relayErrors.invalid_otlp({
      message: 'The body cannot be unpacked, or is too large when it is.',
      cause,
    });
  }
}

export interface CheckedSpans {
  readonly accepted: readonly ReceivedSpan[];
  readonly rejected: number;
  readonly reason: string | undefined;
}

export interface ReceivedSpan {
  readonly resource: OtlpResource;
  readonly scope: OtlpScope;
  readonly span: OtlpSpan;
}

const KINDS: Readonly<Record<string, number>> = {
  SPAN_KIND_INTERNAL: 1,
  SPAN_KIND_SERVER: 2,
  SPAN_KIND_CLIENT: 3,
  SPAN_KIND_PRODUCER: 4,
  SPAN_KIND_CONSUMER: 5,
};

/**
 * Takes each span that has what a span must have; the others are counted and named, as OTLP's partial success wants.
 * Whatever else stands in them is of the types that it claims to be, or is left out: it is shown and sent on later.
 */
export async function checkSpans(request: ExportRequest): Promise<CheckedSpans> {
  const accepted: ReceivedSpan[] = [];
  let rejected = 0;
  let reason: string | undefined;
  for (const { resource: from, scopeSpans } of listOf(request.resourceSpans)) {
    const resource = attributed(from);
    for (const { scope: by, spans } of listOf(scopeSpans)) {
      const scope = attributed(by);
      for (const span of listOf(spans)) {
        await giveTurn();
        const checked = checkSpan(span);
        if (typeof checked !== 'string') accepted.push({ resource, scope, span: checked });
        else {
          rejected += 1;
          reason ??= checked;
        }
      }
    }
  }
  return { accepted, rejected, reason };
}

function checkSpan(span: OtlpSpan): OtlpSpan | string {
  const traceId = idOf(span.traceId, 32);
  const spanId = idOf(span.spanId, 16);
  if (!traceId || !spanId) return 'A span has no valid trace id and span id.';
  const start = nanosOf(span.startTimeUnixNano);
  const end = nanosOf(span.endTimeUnixNano);
  if (start === undefined || end === undefined) return 'A span has no valid start and end.';
  const kind = typeof span.kind === 'string' ? member(KINDS, span.kind) : span.kind;
  const code = Number(span.status?.code ?? 0);
  return {
    ...span,
    traceId,
    spanId,
    ...(span.parentSpanId !== undefined && { parentSpanId: idOf(span.parentSpanId, 16) ?? '' }),
    name: textOf(span.name),
    kind: Number.isInteger(kind) ? Number(kind) : 0,
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    attributes: keyValues(span.attributes),
    ...(span.events !== undefined && { events: listOf(span.events).map(checkEvent) }),
    ...(span.links !== undefined && { links: listOf(span.links).flatMap(checkLink) }),
    status: {
      ...(typeof span.status?.message === 'string' && { message: span.status.message }),
      code: code === 1 || code === 2 ? code : 0,
    },
  };
}

function attributed(of: OtlpResource | undefined): OtlpResource {
  if (!isRecord(of)) return {};
  if (of.attributes === undefined) return of;
  return { ...of, attributes: keyValues(of.attributes as readonly KeyValue[]) };
}

/** One without a time happened at the beginning of time, as protobuf has it. */
function checkEvent(event: OtlpEvent): OtlpEvent {
  return {
    ...event,
    timeUnixNano: nanosOf(event.timeUnixNano) ?? '0',
    name: textOf(event.name),
    ...(event.attributes !== undefined && { attributes: keyValues(event.attributes) }),
  };
}

function checkLink(link: OtlpLink): OtlpLink[] {
  const traceId = idOf(link.traceId, 32);
  const spanId = idOf(link.spanId, 16);
  if (!traceId || !spanId) return [];
  return [
    {
      ...link,
      traceId,
      spanId,
      ...(link.attributes !== undefined && { attributes: keyValues(link.attributes) }),
    },
  ];
}

function keyValues(list: readonly KeyValue[] | undefined): KeyValue[] {
  return listOf(list)
    .filter(({ key }) => typeof key === 'string')
    .map(({ key, value }) => (value === undefined ? { key } : { key, value: checkValue(value) }));
}

/** Empty where it is of no type that there is. */
function checkValue(value: unknown): AnyValue {
  if (!isRecord(value)) return {};
  const { stringValue, boolValue, intValue, doubleValue, bytesValue, arrayValue, kvlistValue } = value;
  if (typeof stringValue === 'string') return { stringValue };
  if (typeof boolValue === 'boolean') return { boolValue };
  if (/^-?\d{1,19}$/.test(String(intValue))) return { intValue: String(intValue) };
  if (typeof doubleValue === 'number') return { doubleValue };
  if (typeof bytesValue === 'string') return { bytesValue };
  if (isRecord(arrayValue)) {
    const { values } = arrayValue;
    return { arrayValue: { values: Array.isArray(values) ? values.map(checkValue) : [] } };
  }
  if (isRecord(kvlistValue))
    return { kvlistValue: { values: keyValues(kvlistValue.values as readonly KeyValue[]) } };
  return {};
}

/** What of a list can be what it claims to be. */
function listOf<T extends object>(value: readonly T[] | undefined): readonly T[] {
  return asRecords(value) as readonly object[] as readonly T[];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function idOf(value: unknown, digits: number): string | undefined {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text.length === digits && /^[0-9a-f]+$/.test(text) && !/^0+$/.test(text) ? text : undefined;
}

/** Within what a 64-bit signed number of nanoseconds holds: until the year 2262. */
function nanosOf(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,19}$/.test(text)) return undefined;
  return BigInt(text) <= 9_000_000_000_000_000_000n ? text : undefined;
}
