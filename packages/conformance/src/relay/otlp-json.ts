/** Spans in OTLP's JSON as backends return it: ids in hex or Base64, enumerations by name or number. */
import { decodeBase64 } from '../../../../src/kernel/base64.ts';
import { toHex } from '../../../../src/kernel/hex.ts';
import { formatMicros } from '../../../../src/kernel/instant.ts';
import type { ObservedSpan } from './trace-query.ts';

export interface JsonSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number | string; readonly message?: string };
  readonly attributes?: readonly JsonKeyValue[];
  readonly events?: readonly { readonly name: string; readonly attributes?: readonly JsonKeyValue[] }[];
}

interface JsonKeyValue {
  readonly key: string;
  readonly value?: {
    readonly stringValue?: string;
    readonly boolValue?: boolean;
    readonly intValue?: string | number;
    readonly doubleValue?: number;
    readonly arrayValue?: { readonly values?: readonly JsonKeyValue['value'][] };
  };
}

const STATUSES = ['unset', 'ok', 'error'] as const;

export function observed(span: JsonSpan): ObservedSpan {
  return {
    trace_id: hexId(span.traceId),
    span_id: hexId(span.spanId),
    parent_span_id: span.parentSpanId ? hexId(span.parentSpanId) : null,
    name: span.name,
    start: instant(span.startTimeUnixNano),
    end: instant(span.endTimeUnixNano),
    status: statusOf(span.status?.code),
    ...(span.status?.message && { status_message: span.status.message }),
    attributes: attributesOf(span.attributes),
    events: (span.events ?? []).map(({ name, attributes }) => ({
      name,
      attributes: attributesOf(attributes),
    })),
  };
}

/** OTLP writes ids in hex, protobuf's own JSON in Base64. Ids of 8 and 16 bytes differ in length between the two. */
function hexId(id: string): string {
  if (/^([0-9a-f]{16}|[0-9a-f]{32})$/i.test(id)) return id.toLowerCase();
  const bytes = decodeBase64(id);
  return bytes ? toHex(bytes) : id;
}

function instant(unixNano: string): string {
  return formatMicros(Number(BigInt(unixNano) / 1000n));
}

function statusOf(code: number | string | undefined): ObservedSpan['status'] {
  if (typeof code === 'string')
    return STATUSES.find((name) => code === `STATUS_CODE_${name.toUpperCase()}`) ?? 'unset';
  return STATUSES[code ?? 0] ?? 'unset';
}

function attributesOf(list: readonly JsonKeyValue[] = []): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, plain(value)]));
}

function plain(value: JsonKeyValue['value']): unknown {
  if (value?.arrayValue) return (value.arrayValue.values ?? []).map(plain);
  if (value?.intValue !== undefined) return Number(value.intValue);
  return value?.stringValue ?? value?.boolValue ?? value?.doubleValue ?? null;
}
