/** Stand-ins for tracing products: they take OTLP as those do, and answer queries in the form of their APIs. */
import { createServer } from 'node:http';
import { encodeBase64, fromHex } from '../../src/kernel/base64.ts';
import { fromKeyValues, type OtlpSpan } from '../../src/slices/relay/otlp/model.ts';
import { formatOf, readExport } from '../../src/slices/relay/otlp/read-export.ts';
import { closeServer, listenOn } from './sdk-peer.ts';

export interface TraceBackend {
  readonly url: string;
  /** Credentials that came with exports and queries. */
  readonly shown: (string | undefined)[];
  /** Spans of these names are lost on the way in. */
  readonly losing: Set<string>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const NOT_FOUND: Answer = { status: 404, body: { detail: 'Not Found' } };

async function startBackend(answer: (url: URL, spans: readonly OtlpSpan[]) => Answer): Promise<TraceBackend> {
  const spans: OtlpSpan[] = [];
  const shown: (string | undefined)[] = [];
  const losing = new Set<string>();
  const server = createServer(async (request, response) => {
    shown.push(request.headers.authorization);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const url = new URL(request.url ?? '/', 'http://backend');
    if (url.pathname !== '/v1/traces') {
      const { status, body } = answer(url, spans);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return;
    }
    if (formatOf(request.headers['content-type'] ?? null) !== 'protobuf') {
      response.writeHead(415).end();
      return;
    }
    const coding = request.headers['content-encoding'] ?? null;
    const { resourceSpans = [] } = await readExport(Buffer.concat(pieces), 'protobuf', coding);
    for (const { scopeSpans = [] } of resourceSpans)
      for (const scoped of scopeSpans)
        spans.push(...(scoped.spans ?? []).filter(({ name }) => !losing.has(name)));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  const url = await listenOn(server);
  return { url, shown, losing, close: () => closeServer(server) };
}

const attributesOf = (span: OtlpSpan) => fromKeyValues(span.attributes);

/** Tempo: a search by TraceQL, of which it understands one sentence here, and a trace by its id. */
export function startTempo(): Promise<TraceBackend> {
  const base64 = (hex: string | undefined) => hex && encodeBase64(fromHex(hex)!);
  const written = (span: OtlpSpan) => ({
    ...span,
    traceId: base64(span.traceId),
    spanId: base64(span.spanId),
    parentSpanId: base64(span.parentSpanId),
    kind: ['', 'SPAN_KIND_INTERNAL', 'SPAN_KIND_SERVER', 'SPAN_KIND_CLIENT'][span.kind],
    status: {
      ...(span.status?.code && { code: ['', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'][span.status.code] }),
      ...(span.status?.message && { message: span.status.message }),
    },
  });
  return startBackend(({ pathname, searchParams }, spans) => {
    if (pathname === '/api/search') {
      const [, wanted] = /^\{ span\.session\.id = "([^"]+)" \}$/.exec(searchParams.get('q') ?? '') ?? [];
      if (wanted === undefined) return { status: 400, body: {} };
      const now = Math.floor(Date.now() / 1000);
      const [start, end] = ['start', 'end'].map((name) => Number(searchParams.get(name) ?? Number.NaN));
      if (!(Number(start) < Math.min(Number(end), now)))
        return { status: 400, body: 'invalid start: start must be before end' };
      const found = spans.filter((span) => attributesOf(span)['session.id'] === wanted);
      const ids = [...new Set(found.map(({ traceId }) => traceId))].slice(
        0,
        Number(searchParams.get('limit')),
      );
      const traces = ids.map((id) => ({ traceID: id.replace(/^0+/, ''), rootServiceName: 'o2r' }));
      return { status: 200, body: { traces, metrics: { totalBlocks: 1 } } };
    }
    const id = /^\/api\/traces\/([0-9a-f]{32})$/.exec(pathname)?.[1];
    const found = spans.filter(({ traceId }) => traceId === id);
    if (found.length === 0) return NOT_FOUND;
    const scopeSpans = [{ scope: { name: 'o2r' }, spans: found.map(written) }];
    return { status: 200, body: { batches: [{ resource: {}, scopeSpans }] } };
  });
}

const PHOENIX_PAGE = 4;

/** Phoenix: the spans of a project in small pages. `filters`: what it can be asked to leave out. */
export function startPhoenix(filters: readonly ('attribute' | 'trace_id')[]): Promise<TraceBackend> {
  const time = (nanos: string) =>
    new Date(Number(BigInt(nanos) / 1_000_000n)).toISOString().replace('Z', `${nanos.slice(-6, -3)}+00:00`);
  const written = (span: OtlpSpan, at: number) => ({
    id: `U3Bhbjo${at}`,
    name: span.name,
    context: { trace_id: span.traceId, span_id: span.spanId },
    span_kind: attributesOf(span)['openinference.span.kind'] ?? 'UNKNOWN',
    parent_id: span.parentSpanId || null,
    start_time: time(span.startTimeUnixNano),
    end_time: time(span.endTimeUnixNano),
    status_code: ['UNSET', 'OK', 'ERROR'][span.status?.code ?? 0],
    status_message: span.status?.message ?? '',
    attributes: nested(attributesOf(span)),
    events: (span.events ?? []).map((event) => ({
      name: event.name,
      timestamp: time(event.timeUnixNano),
      attributes: fromKeyValues(event.attributes),
    })),
  });
  return startBackend(({ pathname, searchParams }, spans) => {
    if (pathname !== '/v1/projects/default/spans') return NOT_FOUND;
    const from = Number(searchParams.get('cursor') ?? 0);
    const traceId = filters.includes('trace_id') ? searchParams.get('trace_id') : null;
    const attribute = filters.includes('attribute') ? searchParams.get('attribute') : null;
    const [, key = '', value = ''] = /^([^:]+):(.*)$/.exec(attribute ?? '') ?? [];
    const found = spans
      .filter((span) => traceId === null || span.traceId === traceId)
      .filter((span) => attribute === null || attributesOf(span)[key] === JSON.parse(value));
    const next = from + PHOENIX_PAGE < found.length ? String(from + PHOENIX_PAGE) : null;
    return {
      status: 200,
      body: { data: found.slice(from, from + PHOENIX_PAGE).map(written), next_cursor: next },
    };
  });
}

/** `{'a.b.c': 1}` as `{a: {'b.c': 1}}`: half of the way that Phoenix goes. */
function nested(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(attributes)) {
    const dot = key.indexOf('.');
    if (dot < 0) whole[key] = value;
    else
      whole[key.slice(0, dot)] = {
        ...(whole[key.slice(0, dot)] as object),
        [key.slice(dot + 1)]: value,
      };
  }
  return whole;
}
