import { asRecords, isRecord } from '../../../kernel/json/loose.ts';
import { giveTurn } from '../../../platform/turn.ts';
import { relayErrors } from '../errors.ts';
import { logsRequestFields, metricsRequestFields } from '../otlp/fields.ts';
import { type KeyValue, type OtlpSpan, textAttribute } from '../otlp/model.ts';
import { readExport } from '../otlp/read-export.ts';
import type { RelayDeps } from '../ports.ts';
import { answerExport, bodyOf, createSpanStoring } from '../spans/collect.ts';
import { originOf } from '../spans/store.ts';
import { addSessionMetric, type SessionMetric } from '../traces/session-metrics-store.ts';
import { type LogRecord, spanOfEvent } from './client-event.ts';
import { countersOf, type Metric } from './client-metric.ts';

/** OTLP's other two signals, of the coding agents that are known; everybody else's are refused. */
export interface TelemetryCollector {
  logs(request: Request, projectId: string): Promise<Response>;
  metrics(request: Request, projectId: string): Promise<Response>;
}

const POINTS_AT_ONCE = 200;

export function createTelemetryCollector(
  deps: Pick<RelayDeps, 'db' | 'clock' | 'hasher'>,
): TelemetryCollector {
  const store = createSpanStoring(deps);

  return {
    logs: (request, projectId) =>
      answerExport(request, async (format) => {
        const coding = request.headers.get('content-encoding');
        const read = await readExport<{ resourceLogs?: unknown }>(
          await bodyOf(request),
          format,
          coding,
          logsRequestFields,
        );
        const spans: { service: string; span: OtlpSpan }[] = [];
        let unknown = 0;
        let known = 0;
        for (const { resource, scopeLogs } of asRecords(read.resourceLogs)) {
          const service = serviceOf(resource);
          for (const record of asRecords(scopeLogs).flatMap(({ logRecords }) => asRecords(logRecords))) {
            await giveTurn();
            const span = spanOfEvent(plainRecord(record), service, deps.hasher);
            if (span === 'unknown') unknown += 1;
            else known += 1;
            if (typeof span !== 'string') spans.push({ service, span });
          }
        }
        if (known === 0 && unknown > 0) throw relayErrors.unsupported_telemetry();
        await store(
          projectId,
          spans.map(({ service, span }) => ({ origin: originFor(service), span })),
        );
        return unknown === 0 ? {} : refused('rejectedLogRecords', unknown);
      }),
    metrics: (request, projectId) =>
      answerExport(request, async (format) => {
        const coding = request.headers.get('content-encoding');
        const read = await readExport<{ resourceMetrics?: unknown }>(
          await bodyOf(request),
          format,
          coding,
          metricsRequestFields,
        );
        const counters: SessionMetric[] = [];
        let unknown = 0;
        let known = 0;
        for (const { scopeMetrics } of asRecords(read.resourceMetrics)) {
          for (const metric of asRecords(scopeMetrics).flatMap(({ metrics }) => asRecords(metrics))) {
            await giveTurn();
            const points = countersOf(metric as Metric, projectId);
            if (points === undefined) unknown += 1;
            else known += 1;
            counters.push(...(points ?? []));
          }
        }
        if (known === 0 && unknown > 0) throw relayErrors.unsupported_telemetry();
        for (let at = 0; at < counters.length; at += POINTS_AT_ONCE) {
          const some = counters.slice(at, at + POINTS_AT_ONCE);
          await deps.db.write(async (uow) => {
            for (const counter of some) await addSessionMetric(uow, counter);
          });
        }
        return unknown === 0 ? {} : refused('rejectedDataPoints', unknown);
      }),
  };

  function originFor(service: string) {
    const attributes = [{ key: 'service.name', value: { stringValue: service } }];
    return originOf({ attributes }, { name: 'events' }, deps.hasher);
  }
}

function refused(member: string, count: number) {
  return {
    partialSuccess: { [member]: String(count), errorMessage: relayErrors.unsupported_telemetry().message },
  };
}

function serviceOf(resource: unknown): string {
  const attributes = isRecord(resource) ? asRecords(resource.attributes) : [];
  return textAttribute(attributes as readonly object[] as readonly KeyValue[], 'service.name') ?? '';
}

/** What of a record can be what it claims to be. */
function plainRecord(record: Readonly<Record<string, unknown>>): LogRecord {
  const attributes = asRecords(record.attributes).filter(
    ({ key, value }) => typeof key === 'string' && isRecord(value),
  );
  const text = (name: string) =>
    typeof record[name] === 'string' || typeof record[name] === 'number'
      ? { [name]: String(record[name]) }
      : {};
  return {
    ...text('timeUnixNano'),
    ...text('observedTimeUnixNano'),
    ...text('eventName'),
    ...(isRecord(record.body) && { body: record.body }),
    attributes: attributes as readonly object[] as readonly KeyValue[],
  } as LogRecord;
}
