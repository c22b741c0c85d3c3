import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, SqlValue } from '../../../spine/storage/database.ts';

export interface TraceRow {
  readonly trace_id: string;
  readonly name: string;
  readonly service: string;
  readonly session_id: string | null;
  readonly spans: number;
  readonly errors: number;
  readonly start_us: Micros;
  readonly end_us: Micros;
}

/** The trace after which a list goes on. */
export interface TracePlace {
  readonly startMicros: Micros;
  readonly traceId: string;
}

export interface TraceFilter {
  readonly sessionId?: string | undefined;
  readonly withoutSession?: boolean | undefined;
  readonly failed?: boolean | undefined;
  readonly from?: Micros | undefined;
  readonly to?: Micros | undefined;
  readonly before?: TracePlace | undefined;
}

/** The latest first. Every filter here is of an index; what is not is for the caller to look through. */
export function selectTraces(
  reader: Reader,
  projectId: string,
  filter: TraceFilter,
  limit: number,
): Promise<TraceRow[]> {
  const wheres = ['t.project_id = ?'];
  const params: SqlValue[] = [projectId];
  const where = (condition: string, ...values: SqlValue[]) => {
    wheres.push(condition);
    params.push(...values);
  };
  if (filter.sessionId !== undefined) {
    where(
      't.trace_id in (select trace_id from relay_session_traces where project_id = ? and session_id = ?)',
      projectId,
      filter.sessionId,
    );
  }
  if (filter.withoutSession) where('t.session_id is null');
  if (filter.failed === true) where('t.errors > 0');
  if (filter.failed === false) where('t.errors = 0');
  if (filter.from !== undefined) where('t.start_us >= ?', filter.from);
  if (filter.to !== undefined) where('t.start_us < ?', filter.to);
  if (filter.before)
    where('(t.start_us, t.trace_id) < (?, ?)', filter.before.startMicros, filter.before.traceId);
  return reader.all<TraceRow>(
    `select t.trace_id, t.name, t.service, t.session_id, t.spans, t.errors, t.start_us, t.end_us from relay_traces t
     where ${wheres.join(' and ')} order by t.start_us desc, t.trace_id desc limit ?`,
    [...params, limit],
  );
}

/** What a trace used of one model; `cost_micros` of the calls that say it themselves. */
export interface ModelUsage {
  readonly trace_id: string;
  readonly model: string | null;
  readonly costed: number;
  readonly calls: number;
  readonly start_us: Micros;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly cost_micros: number;
}

const USAGE = `c.model, case when c.cost_micros is null then 0 else 1 end as costed, count(*) as calls,
  min(c.start_us) as start_us, sum(c.input_tokens) as input_tokens, sum(c.output_tokens) as output_tokens,
  sum(c.cache_read_tokens) as cache_read_tokens, sum(c.cache_write_tokens) as cache_write_tokens,
  coalesce(sum(c.cost_micros), 0) as cost_micros`;
const BY_MODEL = 'c.model, case when c.cost_micros is null then 0 else 1 end';
const COUNTED = "c.kind in ('llm', 'embedding', 'reranker')";

export async function selectUsageOfTraces(
  reader: Reader,
  projectId: string,
  traceIds: readonly string[],
): Promise<ModelUsage[]> {
  if (traceIds.length === 0) return [];
  const rows = await reader.all<ModelUsage>(
    `select c.trace_id, ${USAGE} from relay_calls c where c.project_id = ? and ${COUNTED}
       and c.trace_id in (${traceIds.map(() => '?').join(', ')}) group by c.trace_id, ${BY_MODEL}`,
    [projectId, ...traceIds],
  );
  return rows.map(asNumbers);
}

/** The same for the traces of a session, at most so many. */
export async function selectUsageOfSession(
  reader: Reader,
  projectId: string,
  sessionId: string,
  traces: number,
): Promise<ModelUsage[]> {
  const rows = await reader.all<ModelUsage>(
    `select c.trace_id, ${USAGE} from relay_calls c where c.project_id = ? and ${COUNTED}
       and c.trace_id in (select trace_id from relay_session_traces where project_id = ? and session_id = ?
         order by trace_id limit ?)
     group by c.trace_id, ${BY_MODEL}`,
    [projectId, projectId, sessionId, traces],
  );
  return rows.map(asNumbers);
}

/** PostgreSQL sums to a type of its own, which arrives as text. */
function asNumbers(row: ModelUsage): ModelUsage {
  const { trace_id, model, ...numbers } = row;
  const counted = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)]));
  return { trace_id, model, ...counted } as ModelUsage;
}

export interface StepRow {
  readonly node_id: string;
  readonly node_parent_id: string | null;
  readonly status: number;
  readonly start_us: Micros;
  readonly end_us: Micros;
}

export function selectSteps(
  reader: Reader,
  projectId: string,
  sessionId: string,
  limit: number,
): Promise<StepRow[]> {
  return reader.all<StepRow>(
    `select s.node_id, s.node_parent_id, s.status, s.start_us, s.end_us from relay_session_traces own
       cross join relay_spans s
     where own.project_id = ? and own.session_id = ? and s.project_id = own.project_id
       and s.trace_id = own.trace_id and s.node_id is not null limit ?`,
    [projectId, sessionId, limit],
  );
}
