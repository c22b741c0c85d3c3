import { groupBy } from '../../../spine/search/store/group-by.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { insertion } from '../../../spine/storage/insertion.ts';
import { CALL_KINDS } from '../spans/conventions.ts';
import type { SummedSpan, TraceSums } from './sum-spans.ts';

interface SpanRow {
  seq: number;
  project_id: string;
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  name: string;
  start_us: number;
  end_us: number;
  status: number;
  session_id: string | null;
  agent_id: string | null;
  node_id: string | null;
  node_parent_id: string | null;
  stored_us: number;
  service_name: string;
  bytes: number;
  body: string | null;
}

/** The relay's own spans, whose columns say all that is summed up; what was said is in the body of its tasks. */
const OWN = "o.service_name = 'o2r' and s.name like 'a2a.%'";

/** For the sums: without the bodies that add nothing to them. */
export function selectArrived(reader: Reader, seqs: readonly number[]): Promise<SpanRow[]> {
  return selectRows(reader, seqs, `case when ${OWN} then null else s.body end`);
}

/** For the search. */
export function selectSaid(reader: Reader, seqs: readonly number[]): Promise<SpanRow[]> {
  return selectRows(reader, seqs, 's.body');
}

function selectRows(reader: Reader, seqs: readonly number[], body: string): Promise<SpanRow[]> {
  return reader.all<SpanRow>(
    `select s.seq, s.project_id, s.trace_id, s.span_id, s.parent_span_id, s.name, s.start_us, s.end_us, s.status,
       s.session_id, s.agent_id, s.node_id, s.node_parent_id, s.stored_us, o.service_name, length(s.body) as bytes,
       ${body} as body
     from relay_spans s join relay_origins o on o.origin_id = s.origin_id
     where s.seq in (${seqs.map(() => '?').join(', ')}) order by s.seq`,
    seqs,
  );
}
export type ArrivedSpan = SpanRow;

const traceRows = insertion({
  into: 'relay_traces',
  columns: [
    'project_id',
    'trace_id',
    'name',
    'root_span_id',
    'service',
    'session_id',
    'spans',
    'errors',
    'start_us',
    'end_us',
    'last_seq',
  ],
  unless: `on conflict (project_id, trace_id) do update set
    name = case when excluded.root_span_id is not null and relay_traces.root_span_id is null
      then excluded.name else relay_traces.name end,
    service = case when excluded.root_span_id is not null and relay_traces.root_span_id is null
      then excluded.service else relay_traces.service end,
    root_span_id = coalesce(relay_traces.root_span_id, excluded.root_span_id),
    session_id = coalesce(relay_traces.session_id, excluded.session_id),
    spans = relay_traces.spans + excluded.spans,
    errors = relay_traces.errors + excluded.errors,
    start_us = case when excluded.start_us < relay_traces.start_us then excluded.start_us
      else relay_traces.start_us end,
    end_us = case when excluded.end_us > relay_traces.end_us then excluded.end_us else relay_traces.end_us end,
    last_seq = case when excluded.last_seq > relay_traces.last_seq then excluded.last_seq
      else relay_traces.last_seq end`,
});

export function addToTraces(uow: UnitOfWork, traces: readonly TraceSums[]): Promise<void> {
  return traceRows.run(
    uow,
    traces.map((trace) => [
      trace.projectId,
      trace.traceId,
      trace.name,
      trace.rootSpanId ?? null,
      trace.service,
      trace.sessions[0] ?? null,
      trace.spans,
      trace.errors,
      trace.startMicros,
      trace.endMicros,
      trace.lastSeq,
    ]),
  );
}

const sessionTraceRows = insertion({
  into: 'relay_session_traces',
  columns: ['project_id', 'session_id', 'trace_id'],
  unless: 'on conflict (project_id, session_id, trace_id) do nothing',
});

const sessionRows = insertion({
  into: 'relay_sessions',
  columns: ['project_id', 'session_id', 'first_us', 'last_us'],
  unless: `on conflict (project_id, session_id) do update set
    first_us = case when excluded.first_us < relay_sessions.first_us then excluded.first_us
      else relay_sessions.first_us end,
    last_us = case when excluded.last_us > relay_sessions.last_us then excluded.last_us
      else relay_sessions.last_us end`,
});

/** A session lasts as long as its traces do, with those of their spans that do not name it. */
export async function addToSessions(uow: UnitOfWork, traces: readonly TraceSums[]): Promise<void> {
  await sessionTraceRows.run(
    uow,
    traces.flatMap(({ projectId, traceId, sessions }) => sessions.map((id) => [projectId, id, traceId])),
  );
  const lasting = new Map<string, [projectId: string, sessionId: string, first: number, last: number]>();
  for (const own of groupBy(traces, ({ projectId }) => projectId).values()) {
    const { projectId } = own[0] as TraceSums;
    const byId = new Map(own.map((trace) => [trace.traceId, trace]));
    // Most sessions of a batch have many of its traces: once for each session, not for each trace.
    for (const { session_id, trace_id } of await selectSessionsOf(uow, projectId, [...byId.keys()])) {
      const { startMicros, lastStartMicros } = byId.get(trace_id) as TraceSums;
      const known = lasting.get(`${projectId}\n${session_id}`);
      if (known) {
        known[2] = Math.min(known[2], startMicros);
        known[3] = Math.max(known[3], lastStartMicros);
      } else
        lasting.set(`${projectId}\n${session_id}`, [projectId, session_id, startMicros, lastStartMicros]);
    }
  }
  await sessionRows.run(
    uow,
    [...lasting.values()].map(([projectId, sessionId, first, last]) => [
      projectId,
      sessionId,
      Math.round(first),
      Math.round(last),
    ]),
  );
}

function selectSessionsOf(reader: Reader, projectId: string, traceIds: readonly string[]) {
  return reader.all<{ session_id: string; trace_id: string }>(
    `select session_id, trace_id from relay_session_traces
      where project_id = ? and trace_id in (${traceIds.map(() => '?').join(', ')})`,
    [projectId, ...traceIds],
  );
}

const callRows = insertion({
  into: 'relay_calls',
  columns: [
    'seq',
    'project_id',
    'trace_id',
    'kind',
    'model',
    'tool',
    'start_us',
    'input_tokens',
    'output_tokens',
    'cache_read_tokens',
    'cache_write_tokens',
    'cost_micros',
  ],
  unless: 'on conflict (seq) do nothing',
});

export function insertCalls(uow: UnitOfWork, spans: readonly SummedSpan[]): Promise<void> {
  const calls = spans.filter(({ meaning: { kind, model } }) => NOTED.has(kind) || model !== undefined);
  return callRows.run(
    uow,
    calls.map(({ row, meaning }) => [
      row.seq,
      row.project_id,
      row.trace_id,
      meaning.kind,
      meaning.model?.slice(0, MOST_NAME) ?? null,
      meaning.tool?.slice(0, MOST_NAME) ?? null,
      row.start_us,
      meaning.usage?.input ?? 0,
      meaning.usage?.output ?? 0,
      meaning.usage?.cacheRead ?? 0,
      meaning.usage?.cacheWrite ?? 0,
      meaning.costMicros ?? null,
    ]),
  );
}

const MOST_NAME = 200;
const NOTED: ReadonlySet<string> = new Set(CALL_KINDS);

const textRows = insertion({
  into: 'relay_texts',
  columns: ['seq', 'indexed'],
  unless: 'on conflict (seq) do nothing',
});

export function insertTexts(uow: UnitOfWork, seqs: readonly number[]): Promise<void> {
  return textRows.run(
    uow,
    seqs.map((seq) => [seq, 0]),
  );
}

export async function selectWaitingTexts(reader: Reader, limit: number): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>(
    'select seq from relay_texts where indexed = 0 order by seq limit ?',
    [limit],
  );
  return rows.map(({ seq }) => seq);
}

export async function selectIndexedTexts(reader: Reader, after: number, limit: number): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>(
    'select seq from relay_texts where indexed = 1 and seq > ? order by seq limit ?',
    [after, limit],
  );
  return rows.map(({ seq }) => seq);
}

/** There was nothing to look for in them. */
export async function deleteTexts(uow: UnitOfWork, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  await uow.run(`delete from relay_texts where seq in (${seqs.map(() => '?').join(', ')})`, seqs);
}

export async function markIndexed(uow: UnitOfWork, seqs: readonly number[]): Promise<void> {
  await uow.run(`update relay_texts set indexed = 1 where seq in (${seqs.map(() => '?').join(', ')})`, seqs);
}
