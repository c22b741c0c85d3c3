import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, SqlValue } from '../../../spine/storage/database.ts';

export interface SessionSummary {
  readonly session_id: string;
  readonly traces: number;
  readonly spans: number;
  readonly agents: number;
  readonly errors: number;
  /** False when the session has more spans than were counted. */
  readonly exact: boolean;
  readonly first_us: Micros;
  readonly last_us: Micros;
}

/** A session by when its newest span began. */
export interface SessionPlace {
  readonly newestMicros: Micros;
  readonly sessionId: string;
}

export interface SessionFilter {
  /** Only those whose id contains this. */
  readonly words?: string | undefined;
  readonly before?: SessionPlace | undefined;
  readonly limit: number;
}

export interface SessionPage {
  readonly sessions: readonly SessionSummary[];
  readonly total: number;
  /** The place of the last session, if more follow. */
  readonly last: SessionPlace | undefined;
}

const MOST_SPANS = 50_000;

/**
 * From one session to the next through the index, so that the cost is that of the sessions and not that of their
 * spans: a page asks for this every few seconds.
 */
const SESSIONS = `with recursive found (session_id) as (
    select min(session_id) from relay_spans where project_id = ?
    union all
    select (select min(after.session_id) from relay_spans as after
      where after.project_id = ? and after.session_id > found.session_id)
    from found where found.session_id is not null
  ), dated (session_id, newest_us) as (
    select session_id, (select max(start_us) from relay_spans as own
      where own.project_id = ? and own.session_id = found.session_id)
    from found where session_id is not null
  )`;

/** The sessions that have spans, the latest first, and how many there are on all pages. */
export async function selectSessions(
  reader: Reader,
  projectId: string,
  { words, before, limit }: SessionFilter,
): Promise<SessionPage> {
  const where: string[] = ['1 = 1'];
  const params: SqlValue[] = [projectId, projectId, projectId];
  if (words !== undefined) {
    where.push("lower(session_id) like ? escape '!'");
    params.push(containing(words));
  }
  const count = await reader.get<{ n: number }>(
    `${SESSIONS} select count(*) as n from dated where ${where.join(' and ')}`,
    params,
  );
  if (before) {
    where.push('(newest_us, session_id) < (?, ?)');
    params.push(before.newestMicros, before.sessionId);
  }
  const rows = await reader.all<{ session_id: string; newest_us: number }>(
    `${SESSIONS} select session_id, newest_us from dated where ${where.join(' and ')}
     order by newest_us desc, session_id desc limit ?`,
    [...params, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const sessions: SessionSummary[] = [];
  for (const { session_id } of shown) sessions.push(await selectSummary(reader, projectId, session_id));
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    sessions,
    total: Number(count?.n ?? 0),
    last: last && { newestMicros: last.newest_us, sessionId: last.session_id },
  };
}

export async function selectSummary(
  reader: Reader,
  projectId: string,
  sessionId: string,
  most = MOST_SPANS,
): Promise<SessionSummary> {
  const row = await reader.get<Omit<SessionSummary, 'session_id' | 'exact'>>(
    `select count(distinct trace_id) as traces, count(*) as spans, count(distinct agent_id) as agents,
       coalesce(sum(case when status = 2 then 1 else 0 end), 0) as errors, coalesce(min(start_us), 0) as first_us,
       coalesce(max(end_us), 0) as last_us
     from (select trace_id, agent_id, status, start_us, end_us from relay_spans
       where project_id = ? and session_id = ? order by start_us desc limit ?) as newest`,
    [projectId, sessionId, most + 1],
  );
  const found = row ?? { traces: 0, spans: 0, agents: 0, errors: 0, first_us: 0, last_us: 0 };
  return {
    ...found,
    session_id: sessionId,
    errors: Number(found.errors),
    spans: Math.min(found.spans, most),
    exact: found.spans <= most,
  };
}

/** For `like … escape '!'`. Both engines fold the case of ASCII letters alike. */
export function containing(words: string): string {
  const folded = words.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return `%${folded.replaceAll(/[!%_]/g, (sign) => `!${sign}`)}%`;
}
