import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

export interface IndexedSpan {
  readonly project_id: string;
  readonly trace_id: string;
  readonly span_id: string;
}

/** Those of these spans that search knows. */
export function selectIndexed(reader: Reader, seqs: readonly number[]): Promise<IndexedSpan[]> {
  return reader.all<IndexedSpan>(
    `select s.project_id, s.trace_id, s.span_id from relay_texts t join relay_spans s on s.seq = t.seq
     where t.indexed = 1 and t.seq in (${seqs.map(() => '?').join(', ')})`,
    seqs,
  );
}

export async function deleteNotesOf(uow: UnitOfWork, seqs: readonly number[]): Promise<void> {
  const marks = seqs.map(() => '?').join(', ');
  await uow.run(`delete from relay_texts where seq in (${marks})`, seqs);
  await uow.run(`delete from relay_calls where seq in (${marks})`, seqs);
}

interface TraceKey {
  readonly project_id: string;
  readonly trace_id: string;
}

/** Sums of traces of which the last span is gone. */
export async function deleteEmptyTraces(uow: UnitOfWork, limit: number): Promise<number> {
  const gone = await uow.all<TraceKey>(
    `select project_id, trace_id from relay_traces
     where last_seq < (select coalesce(min(seq), ${Number.MAX_SAFE_INTEGER}) from relay_spans) order by last_seq limit ?`,
    [limit],
  );
  for (const trace of gone) await deleteTrace(uow, trace.project_id, trace.trace_id);
  return gone.length;
}

/** With the sessions that it was the last trace of. */
export async function deleteTrace(uow: UnitOfWork, projectId: string, traceId: string): Promise<void> {
  const sessions = await uow.all<{ session_id: string }>(
    'select session_id from relay_session_traces where project_id = ? and trace_id = ?',
    [projectId, traceId],
  );
  await uow.run('delete from relay_session_traces where project_id = ? and trace_id = ?', [
    projectId,
    traceId,
  ]);
  await uow.run('delete from relay_traces where project_id = ? and trace_id = ?', [projectId, traceId]);
  for (const { session_id } of sessions) {
    await uow.run(
      `delete from relay_sessions where project_id = ? and session_id = ? and not exists
         (select 1 from relay_session_traces own where own.project_id = ? and own.session_id = ?)`,
      [projectId, session_id, projectId, session_id],
    );
  }
}

/** Traces without an error and without an annotation, of which the last span is one of (after, upTo]. */
export function selectHealthy(
  reader: Reader,
  after: number,
  upTo: number,
  limit: number,
): Promise<(TraceKey & { readonly last_seq: number; readonly healthy: number })[]> {
  return reader.all(
    `select t.project_id, t.trace_id, t.last_seq, case when t.errors = 0 and not exists (select 1 from
       relay_annotations a where a.project_id = t.project_id and a.trace_id = t.trace_id) then 1 else 0 end as healthy
     from relay_traces t where t.last_seq > ? and t.last_seq <= ? order by t.last_seq limit ?`,
    [after, upTo, limit],
  );
}

export async function readCounter(reader: Reader, name: string): Promise<number> {
  const row = await reader.get<{ value: number }>('select value from relay_counters where name = ?', [name]);
  return row?.value ?? 0;
}

export async function setCounter(uow: UnitOfWork, name: string, value: number): Promise<void> {
  await uow.run(
    `insert into relay_counters (name, value) values (?, ?)
      on conflict (name) do update set value = excluded.value`,
    [name, value],
  );
}
