import { parseInstant } from '../../../kernel/instant.ts';
import { type TraceEvent, traceEventLine } from '../../../kernel/trace/event.ts';
import { readTraceFile } from './files.ts';

const EXPORT_FORMATS = ['jsonl', 'cef', 'otel'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** `baton trace export FILE --format jsonl|cef|otel` */
export async function exportTraceFile(path: string, format: ExportFormat): Promise<string> {
  return exportEvents(await readTraceFile(path), format);
}

function exportEvents(events: readonly TraceEvent[], format: ExportFormat): string {
  if (format === 'jsonl') return events.map((event) => `${traceEventLine(event)}\n`).join('');
  if (format === 'cef') return events.map((event) => `${cefLine(event)}\n`).join('');
  return `${JSON.stringify(otelTraces(events))}\n`;
}

const SEVERITY: Readonly<Record<string, number>> = {
  'action.denied': 6,
  'action.failed': 5,
  'policy.violated': 7,
  'error.occurred': 5,
};

/** Common Event Format, as log collectors read it: pipes and equals signs inside values are escaped. */
function cefLine(event: TraceEvent): string {
  const head = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|');
  const value = (text: string) =>
    text.replaceAll('\\', '\\\\').replaceAll('=', '\\=').replaceAll('\r', '\\r').replaceAll('\n', '\\n');
  const fields = {
    externalId: event.event_id,
    rt: String(Math.floor((parseInstant(event.timestamp)?.micros ?? 0) / 1000)),
    cs1Label: 'session',
    cs1: event.session_id,
    cs2Label: 'event_hash',
    cs2: event.event_hash,
    cn1Label: 'sequence',
    cn1: String(event.sequence),
    msg: JSON.stringify(event.payload),
  };
  const extension = Object.entries(fields).map(([key, text]) => `${key}=${value(text)}`);
  const name = head(event.event_type);
  return `CEF:0|Baton|Baton|1|${name}|${name}|${SEVERITY[event.event_type] ?? 1}|${extension.join(' ')}`;
}

/** One span for each operation of the session, its events inside; OTLP in JSON. */
function otelTraces(events: readonly TraceEvent[]): unknown {
  const spans = new Map<string, TraceEvent[]>();
  for (const event of events) spans.set(event.span_id, [...(spans.get(event.span_id) ?? []), event]);
  const nanos = (event: TraceEvent | undefined) => `${parseInstant(event?.timestamp ?? '')?.micros ?? 0}000`;
  const hex = (uuid: string) => uuid.replaceAll('-', '');
  const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } });
  return {
    resourceSpans: [
      {
        resource: { attributes: [attribute('service.name', 'baton')] },
        scopeSpans: [
          {
            scope: { name: 'baton.trace' },
            spans: [...spans].map(([spanId, inside]) => ({
              traceId: hex(inside[0]?.trace_id ?? ''),
              spanId: hex(spanId).slice(-16),
              ...(inside[0]?.parent_span_id && { parentSpanId: hex(inside[0].parent_span_id).slice(-16) }),
              name: inside[0]?.event_type ?? '',
              startTimeUnixNano: nanos(inside[0]),
              endTimeUnixNano: nanos(inside.at(-1)),
              attributes: [attribute('session.id', inside[0]?.session_id ?? '')],
              events: inside.map((event) => ({
                name: event.event_type,
                timeUnixNano: nanos(event),
                attributes: [
                  attribute('cra.event_hash', event.event_hash),
                  attribute('cra.payload', JSON.stringify(event.payload)),
                ],
              })),
            })),
          },
        ],
      },
    ],
  };
}
