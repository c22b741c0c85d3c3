import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { BatonError } from '../../kernel/error.ts';
import { readPlain } from '../../kernel/json/reader.ts';
import { relayErrors } from '../errors.ts';
import { exportRequestFields } from './fields.ts';
import type { ExportRequest, OtlpSpan, ResourceSpans } from './model.ts';
import { decodeMessage } from './protobuf-reader.ts';

export type OtlpFormat = 'protobuf' | 'json';

export const MAX_EXPORT_BYTES = 32 * 1024 * 1024;

const unpack = { gzip: promisify(gunzip), deflate: promisify(inflate) };

export function formatOf(contentType: string | null): OtlpFormat | undefined {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-protobuf') return 'protobuf';
  return type === 'application/json' ? 'json' : undefined;
}

export async function readExport(
  bytes: Uint8Array,
  format: OtlpFormat,
  coding: string | null,
): Promise<ExportRequest> {
  const plain = await unpacked(bytes, coding?.trim().toLowerCase() || 'identity');
  if (format === 'protobuf') return decodeMessage(exportRequestFields, plain) as ExportRequest;
  try {
    return readPlain(plain, { maxDepth: 100, maxBytes: MAX_EXPORT_BYTES }) as ExportRequest;
  } catch (cause) {
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
  readonly accepted: readonly {
    readonly from: ResourceSpans;
    readonly scopeIndex: number;
    readonly span: OtlpSpan;
  }[];
  readonly rejected: number;
  readonly reason: string | undefined;
}

const KINDS: Readonly<Record<string, number>> = {
  SPAN_KIND_INTERNAL: 1,
  SPAN_KIND_SERVER: 2,
  SPAN_KIND_CLIENT: 3,
  SPAN_KIND_PRODUCER: 4,
  SPAN_KIND_CONSUMER: 5,
};

/** Takes each span that has what a span must have; the others are counted and named, as OTLP's partial success wants. */
export function checkSpans(request: ExportRequest): CheckedSpans {
  const accepted: { from: ResourceSpans; scopeIndex: number; span: OtlpSpan }[] = [];
  let rejected = 0;
  let reason: string | undefined;
  for (const from of listOf(request.resourceSpans)) {
    listOf(from.scopeSpans).forEach((scope, scopeIndex) => {
      for (const span of listOf(scope.spans)) {
        const checked = checkSpan(span);
        if (typeof checked !== 'string') accepted.push({ from, scopeIndex, span: checked });
        else {
          rejected += 1;
          reason ??= checked;
        }
      }
    });
  }
  return { accepted, rejected, reason };
}

function listOf<T extends object>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

function checkSpan(span: OtlpSpan): OtlpSpan | string {
  const traceId = idOf(span.traceId, 32);
  const spanId = idOf(span.spanId, 16);
  if (!traceId || !spanId) return 'A span has no valid trace id and span id.';
  const start = nanosOf(span.startTimeUnixNano);
  const end = nanosOf(span.endTimeUnixNano);
  if (start === undefined || end === undefined) return 'A span has no valid start and end.';
  const kind = typeof span.kind === 'string' ? KINDS[span.kind] : span.kind;
  const code = Number(span.status?.code ?? 0);
  return {
    ...span,
    traceId,
    spanId,
    ...(span.parentSpanId !== undefined && { parentSpanId: idOf(span.parentSpanId, 16) ?? '' }),
    name: typeof span.name === 'string' ? span.name : '',
    kind: Number.isInteger(kind) ? Number(kind) : 0,
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    attributes: keyValuesOf(span.attributes),
    status: {
      ...(typeof span.status?.message === 'string' && { message: span.status.message }),
      code: code === 1 || code === 2 ? code : 0,
    },
  };
}

function keyValuesOf(list: OtlpSpan['attributes']) {
  return listOf(list).filter(
    ({ key, value }) =>
      typeof key === 'string' && (value === undefined || (typeof value === 'object' && value !== null)),
  );
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
