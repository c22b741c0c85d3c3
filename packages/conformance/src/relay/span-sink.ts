import type { Micros } from '../../../../src/kernel/clock.ts';
import { fromHex } from '../../../../src/kernel/hex.ts';

/** A finished span of one of the harness's agents. */
export interface NewSpan {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly start: Micros;
  readonly end: Micros;
  readonly failure?: string | undefined;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export interface SpanSink {
  send(spans: readonly NewSpan[]): Promise<void>;
}

/** Sends protobuf over OTLP/HTTP, which every collector accepts. */
export function otlpSink(collector: string, headers: Readonly<Record<string, string>> = {}): SpanSink {
  return {
    async send(spans) {
      const body = exportRequest('baton-relay-harness', 'baton.relay.harness', spans);
      const response = await fetch(`${collector}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-protobuf', ...headers },
        body: body as Uint8Array<ArrayBuffer>,
      });
      if (!response.ok) throw new Error(`the collector answered ${response.status} to an export`);
      await response.arrayBuffer();
    },
  };
}

const KINDS = { internal: 1, server: 2, client: 3 } as const;
const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const encoder = new TextEncoder();

type Field = readonly number[];
type Value = string | number | boolean;

function exportRequest(service: string, scope: string, spans: readonly NewSpan[]): Uint8Array {
  const resource = delimited(1, keyValue('service.name', service));
  const scoped = [
    ...delimited(1, textField(1, scope)),
    ...spans.flatMap((span) => delimited(2, spanOf(span))),
  ];
  return Uint8Array.from(delimited(1, [...delimited(1, resource), ...delimited(2, scoped)]));
}

function spanOf(span: NewSpan): Field {
  const failed = span.failure !== undefined;
  return [
    ...bytesField(1, span.traceId),
    ...bytesField(2, span.spanId),
    ...(span.parentSpanId ? bytesField(4, span.parentSpanId) : []),
    ...textField(5, span.name),
    ...varintField(6, KINDS[span.kind]),
    ...fixed64(7, BigInt(span.start) * 1000n),
    ...fixed64(8, BigInt(span.end) * 1000n),
    ...Object.entries(span.attributes).flatMap(([key, value]) => delimited(9, keyValue(key, value))),
    ...delimited(15, [
      ...(failed ? textField(2, span.failure ?? '') : []),
      ...varintField(3, failed ? 2 : 1),
    ]),
  ];
}

function keyValue(key: string, value: Value): Field {
  return [...textField(1, key), ...delimited(2, anyValue(value))];
}

/** Numbers must be non-negative integers. */
function anyValue(value: Value): Field {
  if (typeof value === 'string') return textField(1, value);
  return typeof value === 'boolean' ? varintField(2, value ? 1 : 0) : varintField(3, value);
}

function textField(number: number, text: string): Field {
  return delimited(number, [...encoder.encode(text)]);
}

function bytesField(number: number, hex: string): Field {
  return delimited(number, [...(fromHex(hex) ?? [])]);
}

function delimited(number: number, content: Field): Field {
  return [...varint((number << 3) | DELIMITED), ...varint(content.length), ...content];
}

function varintField(number: number, value: number): Field {
  return [...varint((number << 3) | VARINT), ...varint(value)];
}

function fixed64(number: number, value: bigint): Field {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return [...varint((number << 3) | FIXED64), ...bytes];
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  bytes.push(left);
  return bytes;
}
