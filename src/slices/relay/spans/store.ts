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
} from '../otlp/model.ts';
import { ATTR } from './attribute-registry.ts';
import { readSpanBody, writeSpanBody } from './body.ts';
import { containing } from './session-store.ts';

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
  return stored.map(({ seq }) => seq).sort((a, b) => a - b);
}

/** What is looked for in spans stands beside their body. */
const IN_COLUMNS: ReadonlySet<string> = new Set([
  ATTR.sessionId,
  ATTR.conversationId,
  ATTR.agentId,
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
  const agent = attribute(ATTR.agentId);
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
    attribute(ATTR.sessionId) || attribute(ATTR.conversationId) || null,
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
  readonly sessionId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  /** Only spans whose name contains this, or whose id it is. */
  readonly words?: string | undefined;
  readonly newest?: boolean | undefined;
  readonly limit: number;
}

interface SpanRow {
  seq: number;
  origin_id: string;
  service_name: string;
  body: string;
}

/** In the order in which they were stored, or the newest first. */
export async function selectSpans(
  reader: Reader,
  projectId: string,
  filter: SpanFilter,
): Promise<StoredSpan[]> {
  const { where, params } = conditionOf(projectId, filter);
  const rows = await reader.all<SpanRow>(
    `select s.seq, s.origin_id, o.service_name, s.body from relay_spans s
      join relay_origins o on o.origin_id = s.origin_id
      where ${where} order by s.seq${filter.newest ? ' desc' : ''} limit ?`,
    [...params, filter.limit],
  );
  return rows.map(storedSpan);
}

/** On all pages together. */
export function countSpans(
  reader: Reader,
  projectId: string,
  filter: Omit<SpanFilter, 'limit'>,
): Promise<Total> {
  const { where, params } = conditionOf(projectId, { ...filter, after: undefined, before: undefined });
  return countUpTo(reader, `select 1 from relay_spans s where ${where}`, params);
}

function conditionOf(projectId: string, filter: Omit<SpanFilter, 'limit'>) {
  const wheres = ['s.project_id = ?'];
  const params: SqlValue[] = [projectId];
  const where = (condition: string, value: SqlValue | undefined, ...more: SqlValue[]) => {
    if (value === undefined) return;
    wheres.push(condition);
    params.push(value, ...more);
  };
  where('s.session_id = ?', filter.sessionId);
  where('s.trace_id = ?', filter.traceId);
  where('s.seq > ?', filter.after);
  where('s.seq < ?', filter.before);
  if (filter.words !== undefined) {
    where(
      "(lower(s.name) like ? escape '!' or s.span_id = ? or s.trace_id = ?)",
      containing(filter.words),
      filter.words,
      filter.words,
    );
  }
  return { where: wheres.join(' and '), params };
}

function storedSpan(row: SpanRow): StoredSpan {
  return {
    seq: row.seq,
    span: readSpanBody(row.body),
    originId: row.origin_id,
    serviceName: row.service_name,
  };
}

export interface Edge {
  readonly from: string | null;
  readonly to: string;
  readonly spans: number;
  readonly errors: number;
}

/** The agent graph: who handed over to whom. Rows without `from` are nodes where a burst began. */
export async function selectEdges(reader: Reader, projectId: string, sessionId?: string): Promise<Edge[]> {
  return reader.all<Edge>(
    `select node_parent_id as "from", node_id as "to", count(*) as spans,
        sum(case when status = 2 then 1 else 0 end) as errors
      from relay_spans where project_id = ? and node_id is not null ${sessionId === undefined ? '' : 'and session_id = ?'}
      group by node_parent_id, node_id order by node_id, node_parent_id`,
    sessionId === undefined ? [projectId] : [projectId, sessionId],
  );
}

/** The span above it, and its session. */
export function selectSpanLinks(reader: Reader, projectId: string, spanId: string) {
  return reader.get<{ parent_span_id: string | null; session_id: string | null }>(
    'select parent_span_id, session_id from relay_spans where project_id = ? and span_id = ? order by seq limit 1',
    [projectId, spanId],
  );
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

/** Deletes the oldest beyond age and count, some at a time; answers how many went. */
export async function pruneSpans(
  uow: UnitOfWork,
  { before, keep, atMost }: { readonly before: Micros; readonly keep: number; readonly atMost: number },
): Promise<number> {
  const byAge = await uow.run(
    `delete from relay_spans where seq in (select seq from relay_spans where stored_us < ? order by stored_us limit ?)`,
    [before, atMost],
  );
  const last = await uow.get<{ seq: number | null }>('select max(seq) as seq from relay_spans');
  const bySize = await uow.run(
    `delete from relay_spans where seq in (select seq from relay_spans where seq <= ? order by seq limit ?)`,
    [(last?.seq ?? 0) - keep, atMost],
  );
  await uow.run('delete from relay_spool where span_seq < (select coalesce(min(seq), 0) from relay_spans)');
  return byAge + bySize;
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

export async function deleteInstance(uow: UnitOfWork, instanceId: string): Promise<void> {
  await uow.run('delete from relay_instances where instance_id = ?', [instanceId]);
}
