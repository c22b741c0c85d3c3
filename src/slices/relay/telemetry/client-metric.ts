import { asRecords, isRecord } from '../../../kernel/json/loose.ts';
import { fromKeyValues, type KeyValue } from '../otlp/model.ts';
import type { SessionMetric } from '../traces/session-metrics-store.ts';
import { clientOf, SESSION_KEYS } from './client-event.ts';

export interface Metric {
  readonly name?: string;
  readonly sum?: unknown;
  readonly gauge?: unknown;
}

/** What tells one person or machine from another is no property of a counter of a session. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...SESSION_KEYS,
  'user.id',
  'user.email',
  'user.account_uuid',
  'user.account_id',
  'organization.id',
  'terminal.type',
  'app.version',
]);
const DELTA = new Set([1, 'AGGREGATION_TEMPORALITY_DELTA']);
const MOST_TEXT = 200;
const MOST_VALUE = 1e15;

/** The counters of a session; undefined for a metric that is of no client that is known. */
export function countersOf(metric: Metric, projectId: string): SessionMetric[] | undefined {
  const name = typeof metric.name === 'string' ? metric.name.slice(0, MOST_TEXT) : '';
  const client = clientOf(name);
  const points = isRecord(metric.sum) ? metric.sum : isRecord(metric.gauge) ? metric.gauge : undefined;
  if (client === undefined || points === undefined) return undefined;
  const delta = isRecord(metric.sum) && DELTA.has(metric.sum.aggregationTemporality as number | string);
  return asRecords(points.dataPoints).flatMap((point) => {
    const values = fromKeyValues(asRecords(point.attributes) as readonly object[] as readonly KeyValue[]);
    const sessionId = SESSION_KEYS.map((key) => values[key]).find((value) => typeof value === 'string');
    const value = numberIn(point);
    if (typeof sessionId !== 'string' || sessionId === '' || value === undefined) return [];
    const attributes = Object.fromEntries(
      Object.entries(values)
        .filter(([key]) => !LEFT_OUT.has(key))
        .slice(0, 20)
        .map(([key, own]) => [key.slice(0, MOST_TEXT), String(own).slice(0, MOST_TEXT)]),
    );
    const timeMicros = /^\d{1,19}$/.test(String(point.timeUnixNano))
      ? Number(BigInt(String(point.timeUnixNano)) / 1000n)
      : 0;
    return [
      {
        projectId,
        sessionId: sessionId.slice(0, 1000),
        client,
        metric: name,
        attributes,
        value,
        delta,
        timeMicros,
      },
    ];
  });
}

function numberIn({ asInt, asDouble }: Readonly<Record<string, unknown>>): number | undefined {
  if (asInt !== undefined && /^-?\d{1,20}$/.test(String(asInt))) {
    return Number(BigInt.asIntN(64, BigInt(String(asInt))));
  }
  return typeof asDouble === 'number' && Math.abs(asDouble) < MOST_VALUE ? asDouble : undefined;
}
