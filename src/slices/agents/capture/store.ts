import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

export type ActivityKind = 'prompt' | 'command' | 'file' | 'tool' | 'message' | 'told';

/** One thing that happened in a session. */
export interface Activity {
  readonly sessionId: string;
  /** The same call told twice is one. */
  readonly callKey: string;
  readonly kind: ActivityKind;
  readonly atMicros: number;
  /** A prompt's words, a command line, a path, the name of a tool. */
  readonly text: string;
  readonly ok: boolean | null;
  /** How a command ended, in its own last words. */
  readonly detail: string | null;
  /** Of the judgement before it. */
  readonly spanId: string | null;
}

interface Row {
  readonly session_id: string;
  readonly call_key: string;
  readonly kind: ActivityKind;
  readonly at_us: number;
  readonly text: string;
  readonly ok: number | null;
  readonly detail: string | null;
  readonly span_id: string | null;
}

/** False if it was there before. */
export async function insertActivity(uow: UnitOfWork, activity: Activity): Promise<boolean> {
  const inserted = await uow.run(
    `insert into agent_activity (session_id, call_key, kind, at_us, text, ok, detail, span_id)
     values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (session_id, kind, call_key) do nothing`,
    [
      activity.sessionId,
      activity.callKey,
      activity.kind,
      activity.atMicros,
      activity.text,
      activity.ok === null ? null : activity.ok ? 1 : 0,
      activity.detail,
      activity.spanId,
    ],
  );
  return inserted === 1;
}

/** How something ended that was known without that; as new as if it happened now, so that it is told of. */
export async function completeActivity(uow: UnitOfWork, activity: Activity): Promise<void> {
  const { ok, detail, atMicros, sessionId, kind, callKey } = activity;
  await uow.run(
    `update agent_activity set ok = ?, detail = ?, at_us = ?
     where session_id = ? and kind = ? and call_key = ? and ok is null`,
    [ok ? 1 : 0, detail, atMicros, sessionId, kind, callKey],
  );
}

/** The newest of the sessions, in the order in which they happened. */
export async function selectActivity(
  reader: Reader,
  sessionIds: readonly string[],
  limit: number,
): Promise<Activity[]> {
  const rows = await reader.all<Row>(
    `select session_id, call_key, kind, at_us, text, ok, detail, span_id from agent_activity
     where session_id in (${sessionIds.map(() => '?').join(', ')}) and kind <> 'told' order by seq desc limit ?`,
    [...sessionIds, limit],
  );
  return rows.reverse().map((row) => ({
    sessionId: row.session_id,
    callKey: row.call_key,
    kind: row.kind,
    atMicros: row.at_us,
    text: row.text,
    ok: row.ok === null ? null : row.ok === 1,
    detail: row.detail,
    spanId: row.span_id,
  }));
}

export async function dropBefore(uow: UnitOfWork, micros: number): Promise<void> {
  await uow.run('delete from agent_activity where at_us < ?', [micros]);
  await uow.run('delete from agent_files where last_us < ?', [micros]);
}

export async function hasAnyBefore(reader: Reader, micros: number): Promise<boolean> {
  const row = await reader.get(
    `select 1 as found from agent_activity where at_us < ? union all
     select 1 as found from agent_files where last_us < ? limit 1`,
    [micros, micros],
  );
  return row !== undefined;
}

export async function touchFile(
  uow: UnitOfWork,
  file: {
    readonly sessionId: string;
    readonly projectId: string;
    readonly path: string;
    readonly atMicros: number;
  },
): Promise<void> {
  await uow.run(
    `insert into agent_files (session_id, path, project_id, last_us) values (?, ?, ?, ?)
     on conflict (session_id, path) do update set last_us = excluded.last_us`,
    [file.sessionId, file.path, file.projectId, file.atMicros],
  );
}

/** Paths of a session, the last touched first. */
export async function selectFiles(reader: Reader, sessionId: string, limit: number): Promise<string[]> {
  const rows = await reader.all<{ path: string }>(
    'select path from agent_files where session_id = ? order by last_us desc, path limit ?',
    [sessionId, limit],
  );
  return rows.map((row) => row.path);
}

/** Who touched a file since, the last first. */
export async function selectTouching(
  reader: Reader,
  projectId: string,
  path: string,
  sinceMicros: number,
): Promise<{ readonly sessionId: string; readonly atMicros: number }[]> {
  const rows = await reader.all<{ session_id: string; last_us: number }>(
    `select session_id, last_us from agent_files where project_id = ? and path = ? and last_us >= ?
     order by last_us desc limit 20`,
    [projectId, path, sinceMicros],
  );
  return rows.map((row) => ({ sessionId: row.session_id, atMicros: row.last_us }));
}

/** The judgements of calls that may have made a commit, the last first. */
export async function selectSpans(
  reader: Reader,
  sessionIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await reader.all<{ span_id: string }>(
    `select span_id from agent_activity where session_id in (${sessionIds.map(() => '?').join(', ')})
     and span_id is not null order by seq desc limit ?`,
    [...sessionIds, limit],
  );
  return rows.map((row) => row.span_id);
}
