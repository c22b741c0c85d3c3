import { randomBytes } from 'node:crypto';
import type { Metrics } from '../faces/http/metrics.ts';
import { describeError, type Log } from './log.ts';
import { VERSION } from './version.ts';

/** What waits to be sent; past it, the newest are left out: a collector that is away must not cost memory. */
const MOST = 2_048;
const EVERY_MS = 2_000;
const ANSWER_MS = 5_000;
const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/;
const SERVER_SPAN = 2;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly object[];
  readonly status: object;
}

export interface OwnTraces {
  readonly metrics: Metrics;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** One span for each request, by OTLP in JSON; a request that brings a `traceparent` is part of that trace. */
export function traceRequests(metrics: Metrics, url: string, log: Log): OwnTraces {
  const waiting: Span[] = [];
  const send = async () => {
    const spans = waiting.splice(0);
    if (spans.length === 0) return;
    try {
      const answer = await fetch(`${url.replace(/\/+$/, '')}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(exportOf(spans)),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
    } catch (error) {
      log.error({ error: describeError(error), spans: spans.length }, 'traces were not sent');
    }
  };
  const timer = setInterval(() => void send(), EVERY_MS);
  timer.unref();
  return {
    metrics: {
      ...metrics,
      observe(operation, status, seconds, about) {
        metrics.observe(operation, status, seconds, about);
        if (waiting.length < MOST) waiting.push(spanOf(operation, status, seconds, about));
      },
    },
    async close() {
      clearInterval(timer);
      await send();
    },
  };
}

function spanOf(
  operation: string,
  status: number,
  seconds: number,
  about: Parameters<Metrics['observe']>[3],
): Span {
  const parent = TRACEPARENT.exec(about?.traceparent ?? '');
  const end = Date.now();
  const [method = '', route = ''] = operation.split(' ', 2);
  return {
    traceId: parent?.[1] ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    ...(parent?.[2] && { parentSpanId: parent[2] }),
    name: operation,
    kind: SERVER_SPAN,
    startTimeUnixNano: nanos(end - seconds * 1000),
    endTimeUnixNano: nanos(end),
    attributes: [
      text('http.request.method', method),
      text('http.route', route),
      { key: 'http.response.status_code', value: { intValue: status } },
      ...(about ? [text('baton.request_id', about.requestId)] : []),
    ],
    status: status >= 500 ? { code: 2 } : {},
  };
}

const nanos = (ms: number) => `${Math.round(ms * 1000)}000`;
const text = (key: string, value: string) => ({ key, value: { stringValue: value } });

function exportOf(spans: readonly Span[]): object {
  const resource = { attributes: [text('service.name', 'baton'), text('service.version', VERSION)] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'baton' }, spans }] }] };
}
