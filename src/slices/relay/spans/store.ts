import type { Micros } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { countUpTo, type Total } from '../../../spine/storage/bounded-count.ts';
import type { Reader, SqlValue, UnitOfWork } from '../../../spine/storage/database.ts';
import { insertion } from '../../../spine/storage/insertion.ts';
import {
  type AnyValue,
  fromAnyValue,
  type OtlpResource,
  type OtlpScope,
  type OtlpSpan,
  textAttribute,
  toKeyValues,
} from '../otlp/model.ts';
import { insertArrival } from '../traces/arrivals-store.ts';
import { ATTR } from './attribute-registry.ts';
import { readSpanBody, writeSpanBody } from './body.ts';
import { CONVENTIONS } from './conventions.ts';

export interface Origin {
  readonly id: string;
  readonly resource: OtlpResource;
  readonly scope: OtlpScope;
}

export interface StoredSpan {
  readonly seq: number;
  readonly span: OtlpSpan;
  readonly originId: string;
  readonly serviceName: string;
}

export function originOf(resource: OtlpResource, scope: OtlpScope, hasher: Hasher): Origin {
  return { id: hasher.hex(JSON.stringify([resource, scope])).slice(0, 32), resource, scope };
}

/** Of the spans that the relay of this store writes itself. */
export function relayOrigin(hasher: Hasher): Origin {
  return originOf({ attributes: toKeyValues({ 'service.name': 'o2r' }) }, { name: 'o2r' }, hasher);
}

/** Of spans that somebody sent: never the relay's own, whatever they say. */
export function receivedOrigin(resource: OtlpResource, scope: OtlpScope, hasher: Hasher): Origin {
  const origin = originOf(resource, scope, hasher);
  return origin.id === relayOrigin(hasher).id
    ? { ...origin, id: hasher.hex(`received ${origin.id}`).slice(0, 32) }
    : origin;
}

export async function ensureOrigin(uow: UnitOfWork, origin: Origin): Promise<void> {
  await uow.run(
    `insert into relay_origins (origin_id, resource, scope, service_name) values (?, ?, ?, ?)
      on conflict (origin_id) do nothing`,
    [
      origin.id,
      JSON.stringify(origin.resource),
      JSON.stringify(origin.scope),
      textAttribute(origin.resource.attributes, 'service.name') ?? '',
    ],
  );
}

export interface NewSpan {
  readonly projectId: string;
  readonly originId: string;
  readonly span: OtlpSpan;
  readonly storedMicros: Micros;
}

const spanRows = insertion({
  into: 'relay_spans',
  columns: [
    'project_id',
    'trace_id',
    'span_id',
    'parent_span_id',
    'origin_id',
    'name',
    'start_us',
    'end_us',
    'status',
    'session_id',
    'agent_id',
    'node_id',
    'node_parent_id',
    'task_id',
    'body',
    'stored_us',
  ],
  unless: 'on conflict (project_id, trace_id, span_id) do nothing',
  returning: 'seq',
});

/** Answers the numbers of those that were new, in order; one that is known already is left as it is. */
export async function insertSpans(uow: UnitOfWork, spans: readonly NewSpan[]): Promise<number[]> {
  const stored = await spanRows.returning<{ seq: number }>(uow, spans.map(rowOf));
  const seqs = stored.map(({ seq }) => seq).sort((a, b) => a - b);
  await insertArrival(uow, seqs);
  return seqs;
}

/** What is looked for in spans stands beside their body. */
const IN_COLUMNS: ReadonlySet<string> = new Set([
  ...CONVENTIONS.session,
  ...CONVENTIONS.agent,
  ATTR.graphNodeId,
  ATTR.graphNodeParentId,
  ATTR.taskId,
]);

function rowOf({ projectId, originId, span, storedMicros }: NewSpan): SqlValue[] {
  const values = new Map<string, AnyValue | undefined>();
  for (const { key, value } of span.attributes ?? []) if (IN_COLUMNS.has(key)) values.set(key, value);
  const attribute = (key: string) => {
    const value = fromAnyValue(values.get(key));
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
  };
  const first = (keys: readonly string[]) => {
    for (const key of keys) {
      const value = values.has(key) && attribute(key);
      if (value) return value;
    }
    return null;
  };
  const agent = first(CONVENTIONS.agent);
  return [
    projectId,
    span.traceId,
    span.spanId,
    span.parentSpanId || null,
    originId,
    span.name,
    microsOf(span.startTimeUnixNano),
    microsOf(span.endTimeUnixNano),
    span.status?.code ?? 0,
    first(CONVENTIONS.session),
    agent,
    attribute(ATTR.graphNodeId) || agent,
    attribute(ATTR.graphNodeParentId) || null,
    attribute(ATTR.taskId) || null,
    writeSpanBody(span),
    storedMicros,
  ];
}

function microsOf(unixNano: string): Micros {
  return Number(BigInt(unixNano) / 1000n);
}

export interface SpanFilter {
  /** All spans of the traces that have a span of this session. */
  readonly sessionId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly name?: string | undefined;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly agent?: string | undefined;
  readonly status?: number | undefined;
  readonly kind?: string | undefined;
  readonly model?: string | undefined;
  readonly tool?: string | undefined;
  /** Only what may be a turn of a conversation: what nothing of the trace asked for, and tasks of the relay. */
  readonly turns?: boolean | undefined;
  readonly newest?: boolean | undefined;
  readonly limit: number;
}

interface SpanRow {
  seq: number;
  origin_id: string;
  service_name: string;
  body: string;
}

/** In the order in which they were stored, or the newest first. Everything that is filtered by here has an index. */
export async function selectSpans(
  reader: Reader,
  projectId: string,
  filter: SpanFilter,
): Promise<StoredSpan[]> {
  const { from, seq, where, params } = conditionOf(projectId, filter);
  const rows = await reader.all<SpanRow>(
    `select s.seq, s.origin_id, o.service_name, s.body from ${from}
      join relay_origins o on o.origin_id = s.origin_id
      where ${where} order by ${seq}${filter.newest ? ' desc' : ''} limit ?`,
    [...params, filter.limit],
  );
  return rows.map(storedSpan);
}

/** These spans whole, in the order in which they were stored. */
export async function selectSpansBySeq(reader: Reader, seqs: readonly number[]): Promise<StoredSpan[]> {
  if (seqs.length === 0) return [];
  const rows = await reader.all<SpanRow>(
    `select s.seq, s.origin_id, o.service_name, s.body from relay_spans s
      join relay_origins o on o.origin_id = s.origin_id
      where s.seq in (${seqs.map(() => '?').join(', ')}) order by s.seq`,
    seqs,
  );
  return rows.map(storedSpan);
}

/** Where a span stands in its trace: what its columns say without its body, of which there may be megabytes. */
export interface SpanOutline {
  readonly seq: number;
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly name: string;
  readonly start_us: Micros;
  readonly end_us: Micros;
  readonly status: number;
  readonly session_id: string | null;
  readonly agent: string;
}

export function selectOutline(
  reader: Reader,
  projectId: string,
  filter: Pick<SpanFilter, 'traceId' | 'limit'>,
): Promise<SpanOutline[]> {
  const { seq, where, params } = conditionOf(projectId, filter);
  return reader.all<SpanOutline>(
    `select s.seq, s.trace_id, s.span_id, s.parent_span_id, s.name, s.start_us, s.end_us, s.status, s.session_id,
       coalesce(s.agent_id, o.service_name) as agent
     from relay_spans s join relay_origins o on o.origin_id = s.origin_id
     where ${where} order by ${seq} limit ?`,
    [...params, filter.limit],
  );
}

const OF_SESSION = `s.project_id = ? and s.trace_id in (
  select trace_id from relay_session_traces where project_id = ? and session_id = ?)`;

/** Who worked in the traces of a session. */
export async function selectAgents(
  reader: Reader,
  projectId: string,
  sessionId: string,
  limit: number,
): Promise<string[]> {
  const rows = await reader.all<{ agent: string }>(
    `select distinct coalesce(s.agent_id, o.service_name) as agent
     from relay_spans s join relay_origins o on o.origin_id = s.origin_id
     where ${OF_SESSION} and coalesce(s.agent_id, o.service_name) <> '' limit ?`,
    [projectId, projectId, sessionId, limit],
  );
  return rows.map(({ agent }) => agent);
}

/** The longest spans of a session that wait for nothing below them. */
export async function selectLongestLeaves(
  reader: Reader,
  projectId: string,
  sessionId: string,
  limit: number,
): Promise<StoredSpan[]> {
  const rows = await reader.all<SpanRow>(
    `select s.seq, s.origin_id, o.service_name, s.body from relay_spans s
       join relay_origins o on o.origin_id = s.origin_id
     where ${OF_SESSION} and s.span_id not in (
       select s.parent_span_id from relay_spans s where ${OF_SESSION} and s.parent_span_id is not null)
     order by s.end_us - s.start_us desc, s.seq limit ?`,
    [projectId, projectId, sessionId, projectId, projectId, sessionId, limit],
  );
  return rows.map(storedSpan);
}

/** On all pages together. */
export function countSpans(
  reader: Reader,
  projectId: string,
  filter: Omit<SpanFilter, 'limit'>,
): Promise<Total> {
  const { from, where, params } = conditionOf(projectId, { ...filter, after: undefined, before: undefined });
  return countUpTo(reader, `select 1 from ${from} where ${where}`, params);
}

function conditionOf(projectId: string, filter: Omit<SpanFilter, 'limit'>) {
  const { kind, model, tool } = filter;
  const ofCalls = [kind, model, tool].some((value) => value !== undefined);
  const wheres: string[] = [];
  const params: SqlValue[] = [];
  const where = (condition: string, value: SqlValue | undefined, ...more: SqlValue[]) => {
    if (value === undefined) return;
    wheres.push(condition);
    params.push(value, ...more);
  };
  const seq = ofCalls ? 'c.seq' : 's.seq';
  where(ofCalls ? 'c.project_id = ?' : 's.project_id = ?', projectId);
  where('c.kind = ?', kind);
  where('c.model = ?', model);
  where('c.tool = ?', tool);
  if (filter.sessionId !== undefined) {
    where(
      's.trace_id in (select trace_id from relay_session_traces where project_id = ? and session_id = ?)',
      projectId,
      filter.sessionId,
    );
  }
  where('s.trace_id = ?', filter.traceId);
  where('s.span_id = ?', filter.spanId);
  where('s.name = ?', filter.name);
  where('s.agent_id = ?', filter.agent);
  // As the partial index has it: an engine does not know that a parameter is 2.
  if (filter.status === 2) wheres.push('s.status = 2');
  else where('s.status = ?', filter.status);
  if (filter.turns) wheres.push("(s.parent_span_id is null or s.name = 'a2a.task')");
  where(`${seq} > ?`, filter.after);
  where(`${seq} < ?`, filter.before);
  return {
    from: ofCalls ? 'relay_calls c join relay_spans s on s.seq = c.seq' : 'relay_spans s',
    seq,
    where: wheres.join(' and '),
    params,
  };
}

function storedSpan(row: SpanRow): StoredSpan {
  return {
    seq: row.seq,
    span: readSpanBody(row.body),
    originId: row.origin_id,
    serviceName: row.service_name,
  };
}

export async function selectOrigins(reader: Reader, ids: readonly string[]): Promise<Origin[]> {
  const rows = await reader.all<{ origin_id: string; resource: string; scope: string }>(
    `select origin_id, resource, scope from relay_origins where origin_id in (${ids.map(() => '?').join(', ')})
     order by origin_id`,
    ids,
  );
  return rows.map((row) => ({
    id: row.origin_id,
    resource: JSON.parse(row.resource) as OtlpResource,
    scope: JSON.parse(row.scope) as OtlpScope,
  }));
}

/** The span above it, and its session. */
export function selectSpanLinks(reader: Reader, projectId: string, spanId: string) {
  return reader.get<{ trace_id: string; parent_span_id: string | null; session_id: string | null }>(
    'select trace_id, parent_span_id, session_id from relay_spans where project_id = ? and span_id = ? order by seq limit 1',
    [projectId, spanId],
  );
}

const SPANS_OF_AN_ID = 10;

export async function selectSpanSeqs(reader: Reader, projectId: string, spanId: string): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>(
    `select seq from relay_spans where project_id = ? and span_id = ? order by seq limit ${SPANS_OF_AN_ID}`,
    [projectId, spanId],
  );
  return rows.map(({ seq }) => seq);
}

/** The first of these projects that has the span. */
export async function selectSpanProject(
  reader: Reader,
  projects: readonly string[] | 'all',
  spanId: string,
): Promise<string | undefined> {
  const { where, params } = withinProjects(projects);
  const row = await reader.get<{ project_id: string }>(
    `select project_id from relay_spans where span_id = ?${where} order by project_id limit 1`,
    [spanId, ...params],
  );
  return row?.project_id;
}

export function withinProjects(projects: readonly string[] | 'all') {
  if (projects === 'all') return { where: '', params: [] };
  return { where: ` and project_id in (${projects.map(() => '?').join(', ')})`, params: projects };
}

/** The oldest beyond age and number, some of them. */
export async function selectOldSpans(
  reader: Reader,
  { before, keep, atMost }: { readonly before: Micros; readonly keep: number; readonly atMost: number },
): Promise<number[]> {
  const last = await reader.get<{ seq: number | null }>('select max(seq) as seq from relay_spans');
  const byAge = await reader.all<{ seq: number }>(
    'select seq from relay_spans where stored_us < ? order by stored_us limit ?',
    [before, atMost],
  );
  const byNumber = await reader.all<{ seq: number }>(
    'select seq from relay_spans where seq <= ? order by seq limit ?',
    [(last?.seq ?? 0) - keep, atMost],
  );
  return [...new Set([...byAge, ...byNumber].map(({ seq }) => seq))].slice(0, atMost);
}

export async function selectOldestSpans(reader: Reader, limit: number): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>('select seq from relay_spans order by seq limit ?', [limit]);
  return rows.map(({ seq }) => seq);
}

export async function selectSeqsOfTrace(
  reader: Reader,
  projectId: string,
  traceId: string,
  limit: number,
): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>(
    'select seq from relay_spans where project_id = ? and trace_id = ? limit ?',
    [projectId, traceId, limit],
  );
  return rows.map(({ seq }) => seq);
}

/** The newest span that was stored before an instant. */
export async function selectLastBefore(reader: Reader, before: Micros): Promise<number | undefined> {
  const row = await reader.get<{ seq: number }>(
    'select seq from relay_spans where stored_us < ? order by stored_us desc, seq desc limit 1',
    [before],
  );
  return row?.seq;
}

/** Answers how many bytes their bodies had. */
export async function deleteSpans(uow: UnitOfWork, seqs: readonly number[]): Promise<number> {
  const marks = seqs.map(() => '?').join(', ');
  const size = await uow.get<{ bytes: number | null }>(
    `select sum(length(body)) as bytes from relay_spans where seq in (${marks})`,
    seqs,
  );
  await uow.run(`delete from relay_spans where seq in (${marks})`, seqs);
  await uow.run('delete from relay_spool where span_seq < (select coalesce(min(seq), 0) from relay_spans)');
  return Number(size?.bytes ?? 0);
}

export interface OpenSpan {
  readonly projectId: string;
  readonly span: OtlpSpan;
}

/** Says that a span has begun: what is found here after its process is gone was interrupted. */
export async function insertOpenSpan(
  uow: UnitOfWork,
  instanceId: string,
  { projectId, span }: OpenSpan,
  now: Micros,
): Promise<void> {
  await uow.run(
    `insert into relay_open_spans (span_id, project_id, instance_id, body, opened_us) values (?, ?, ?, ?, ?)
      on conflict (span_id) do nothing`,
    [span.spanId, projectId, instanceId, writeSpanBody(span), now],
  );
}

export async function deleteOpenSpan(uow: UnitOfWork, spanId: string): Promise<void> {
  await uow.run('delete from relay_open_spans where span_id = ?', [spanId]);
}

export async function touchInstance(
  uow: UnitOfWork,
  instance: { readonly id: string; readonly host: string; readonly pid: number },
  now: Micros,
): Promise<void> {
  await uow.run(
    `insert into relay_instances (instance_id, host, pid, seen_us) values (?, ?, ?, ?)
      on conflict (instance_id) do update set seen_us = excluded.seen_us`,
    [instance.id, instance.host, instance.pid, now],
  );
}

export interface Instance {
  readonly instance_id: string;
  readonly host: string;
  readonly pid: number;
  readonly seen_us: Micros;
}

export function selectInstances(reader: Reader): Promise<Instance[]> {
  return reader.all<Instance>('select instance_id, host, pid, seen_us from relay_instances');
}

export async function selectOpenSpansOf(
  reader: Reader,
  instanceId: string,
  limit: number,
): Promise<OpenSpan[]> {
  const rows = await reader.all<{ project_id: string; body: string }>(
    'select project_id, body from relay_open_spans where instance_id = ? order by opened_us limit ?',
    [instanceId, limit],
  );
  return rows.map((row) => ({ projectId: row.project_id, span: readSpanBody(row.body) }));
}

export async function selectOpenSpan(reader: Reader, spanId: string): Promise<OtlpSpan | undefined> {
  const row = await reader.get<{ body: string }>('select body from relay_open_spans where span_id = ?', [
    spanId,
  ]);
  return row && readSpanBody(row.body);
}

export async function deleteInstance(uow: UnitOfWork, instanceId: string): Promise<void> {
  await uow.run('delete from relay_instances where instance_id = ?', [instanceId]);
}
