import type { Micros } from '../../kernel/clock.ts';

const KINDS = { internal: 1, server: 2, client: 3 } as const;

/** A span that an agent of ours has finished. */
export interface NewSpan {
  readonly name: string;
  readonly kind: keyof typeof KINDS;
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

/** Any collector that takes OTLP/HTTP as JSON. */
export function otlpSink(collector: string, headers: Readonly<Record<string, string>> = {}): SpanSink {
  return {
    async send(spans) {
      const body = JSON.stringify({
        resourceSpans: [
          {
            resource: { attributes: [keyValue('service.name', 'baton-relay-harness')] },
            scopeSpans: [{ scope: { name: 'baton.relay.harness' }, spans: spans.map(otlpSpan) }],
          },
        ],
      });
      const response = await fetch(`${collector}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      if (!response.ok) throw new Error(`the collector answered ${response.status} to an export`);
      await response.arrayBuffer();
    },
  };
}

function otlpSpan(span: NewSpan) {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId && { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: `${span.start}000`,
    endTimeUnixNano: `${span.end}000`,
    attributes: Object.entries(span.attributes).map(([key, value]) => keyValue(key, value)),
    status: span.failure === undefined ? { code: 1 } : { code: 2, message: span.failure },
  };
}

function keyValue(key: string, value: string | number | boolean) {
  if (typeof value === 'number') return { key, value: { intValue: String(value) } };
  return { key, value: typeof value === 'boolean' ? { boolValue: value } : { stringValue: value } };
}
