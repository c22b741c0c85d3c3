import { formatMicros, parseInstant } from '../../../../src/kernel/instant.ts';
import { isRecord, type LooseRecord } from '../../../../src/kernel/json/loose.ts';
import { type Backend, getJson } from './backend.ts';
import { derivedQuery } from './derived-query.ts';
import { type ObservedSpan, type TraceQuery, textAt } from './trace-query.ts';

interface PhoenixSpan {
  readonly name: string;
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly span_kind?: string;
  readonly parent_id?: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly status_code?: string;
  readonly status_message?: string;
  readonly attributes?: LooseRecord;
  readonly events?: readonly { readonly name: string; readonly attributes?: LooseRecord }[];
}

interface PhoenixPage {
  readonly data: readonly PhoenixSpan[];
  readonly next_cursor?: string | null;
}

const PAGE = '1000';

/**
 * Queries Arize Phoenix for the spans of a project. Older versions ignore a filter that they do not know and return
 * everything since the run began, so the spans are filtered here as well.
 */
export function phoenixQuery(backend: Backend, project = 'default'): TraceQuery {
  async function spansWith(filter: readonly [string, string]): Promise<ObservedSpan[]> {
    const spans: PhoenixSpan[] = [];
    let cursor: string | null | undefined;
    do {
      const path = `/v1/projects/${encodeURIComponent(project)}/spans`;
      const page: PhoenixPage | undefined = await getJson<PhoenixPage>(backend, path, [
        ['limit', PAGE],
        ['start_time', formatMicros(backend.since)],
        filter,
        ...(cursor ? [['cursor', cursor] as const] : []),
      ]);
      spans.push(...(page?.data ?? []));
      cursor = page?.next_cursor;
    } while (cursor);
    return spans.map(observed);
  }

  return derivedQuery({
    async spansOfSession(sessionId) {
      // Quoted, or Phoenix would look for an id of digits as a number.
      const spans = await spansWith(['attribute', `session.id:${JSON.stringify(sessionId)}`]);
      return spans.filter((span) => textAt(span, 'session.id') === sessionId);
    },
    async spansOfTrace(traceId) {
      return (await spansWith(['trace_id', traceId])).filter(({ trace_id }) => trace_id === traceId);
    },
  });
}

function observed(span: PhoenixSpan): ObservedSpan {
  const status = span.status_code?.toLowerCase();
  return {
    trace_id: span.context.trace_id,
    span_id: span.context.span_id,
    parent_span_id: span.parent_id || null,
    name: span.name,
    start: inUtc(span.start_time),
    end: inUtc(span.end_time),
    status: status === 'ok' || status === 'error' ? status : 'unset',
    ...(span.status_message && { status_message: span.status_message }),
    attributes: {
      ...(span.span_kind && { 'openinference.span.kind': span.span_kind }),
      ...flat(span.attributes ?? {}),
    },
    events: (span.events ?? []).map(({ name, attributes = {} }) => ({ name, attributes: flat(attributes) })),
  };
}

/** Phoenix nests `a.b` as a member of a member. */
function flat(attributes: LooseRecord, above = ''): LooseRecord {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      isRecord(value) ? Object.entries(flat(value, `${above}${name}.`)) : [[`${above}${name}`, value]],
    ),
  );
}

function inUtc(text: string): string {
  const instant = parseInstant(text);
  return instant ? formatMicros(instant.micros) : text;
}
