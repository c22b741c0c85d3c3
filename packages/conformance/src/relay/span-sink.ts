import type { Micros } from '../../../../src/kernel/clock.ts';
import { exportRequest } from './otlp-protobuf.ts';

/** A span that an agent of ours has finished. */
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

/** Any collector that takes OTLP/HTTP: as protobuf, which all of them do. */
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
