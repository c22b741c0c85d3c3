import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, SqlValue } from '../../../spine/storage/database.ts';

export interface SessionSummary {
  readonly session_id: string;
  readonly traces: number;
  readonly spans: number;
  readonly agents: number;
  readonly errors: number;
  readonly first_us: Micros;
  readonly last_us: Micros;
}

/** Where a list goes on: the session after which, and when its newest span began. */
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

/** Agents are counted in so many spans of a page of sessions, and no more. */
const MOST_SPANS = 20_000;

/** The sessions that have spans, the latest first, and how many there are on all pages. */
export async function selectSessions(
  reader: Reader,
  projectId: string,
  { words, before, limit }: SessionFilter,
): Promise<SessionPage> {
  const where: string[] = ['project_id = ?'];
  const params: SqlValue[] = [projectId];
  if (words !== undefined) {
    where.push("lower(session_id) like ? escape '!'");
    params.push(containing(words));
  }
  const count = await reader.get<{ n: number }>(
    `select count(*) as n from relay_sessions where ${where.join(' and ')}`,
    params,
  );
  if (before) {
    where.push('(last_us, session_id) < (?, ?)');
    params.push(before.newestMicros, before.sessionId);
  }
  const rows = await reader.all<{ session_id: string; last_us: number }>(
    `select session_id, last_us from relay_sessions where ${where.join(' and ')}
     order by last_us desc, session_id desc limit ?`,
    [...params, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const sessions = await selectSummaries(
    reader,
    projectId,
    shown.map(({ session_id }) => session_id),
  );
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    sessions,
    total: Number(count?.n ?? 0),
    last: last && { newestMicros: last.last_us, sessionId: last.session_id },
  };
}

/** Of whole traces: a span that does not name the session belongs to it all the same. In the order of the ids. */
export async function selectSummaries(
  reader: Reader,
  projectId: string,
  sessionIds: readonly string[],
): Promise<SessionSummary[]> {
  if (sessionIds.length === 0) return [];
  // `cross join` keeps SQLite from beginning with all traces of the project.
  const traces = `relay_session_traces own cross join`;
  const where = `own.project_id = ? and own.session_id in (${sessionIds.map(() => '?').join(', ')})`;
  const rows = await reader.all<SummaryRow>(
    `select own.session_id, count(*) as traces, sum(t.spans) as spans, sum(t.errors) as errors,
       min(t.start_us) as first_us, max(t.end_us) as last_us
     from ${traces} relay_traces t
     where ${where} and t.project_id = own.project_id and t.trace_id = own.trace_id group by own.session_id`,
    [projectId, ...sessionIds],
  );
  const agents = await reader.all<{ session_id: string; agents: number }>(
    `select session_id, count(distinct agent_id) as agents from (select own.session_id, s.agent_id
       from ${traces} relay_spans s
       where ${where} and s.project_id = own.project_id and s.trace_id = own.trace_id limit ?) as counted
     group by session_id`,
    [projectId, ...sessionIds, MOST_SPANS],
  );
  const sums = new Map(rows.map((row) => [row.session_id, row]));
  const counts = new Map(agents.map((row) => [row.session_id, Number(row.agents)]));
  return sessionIds.map((sessionId) => {
    const row = sums.get(sessionId);
    const count = (value: number | undefined) => Number(value ?? 0);
    return {
      session_id: sessionId,
      traces: count(row?.traces),
      spans: count(row?.spans),
      agents: counts.get(sessionId) ?? 0,
      errors: count(row?.errors),
      first_us: count(row?.first_us),
      last_us: count(row?.last_us),
    };
  });
}

interface SummaryRow {
  session_id: string;
  traces: number;
  spans: number;
  errors: number;
  first_us: number;
  last_us: number;
}

/** For `like … escape '!'`. Both engines fold the case of ASCII letters alike. */
export function containing(words: string): string {
  const folded = words.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return `%${folded.replaceAll(/[!%_]/g, (sign) => `!${sign}`)}%`;
}
