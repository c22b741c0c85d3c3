/** Sessions from other stores whose ids are not UUIDs: kept unchanged, so that lookups and exports find them. */
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

export async function selectForeignSessions(
  reader: Reader,
  projectId: string,
  callsign: string,
): Promise<string[]> {
  const rows = await reader.all<{ line: string }>(
    'select line from foreign_sessions where project_id = ? and callsign = ? order by session_id limit 50',
    [projectId, callsign],
  );
  return rows.map((row) => row.line);
}

export async function selectForeignPage(
  reader: Reader,
  projectId: string,
  after: string,
  limit: number,
): Promise<{ session_id: string; line: string }[]> {
  return reader.all(
    'select session_id, line from foreign_sessions where project_id = ? and session_id > ? order by session_id limit ?',
    [projectId, after, limit],
  );
}

/** Returns false if it exists already. */
export async function insertForeignSession(
  uow: UnitOfWork,
  session: {
    readonly projectId: string;
    readonly sessionId: string;
    readonly callsign: string | null;
    readonly line: string;
  },
): Promise<boolean> {
  const inserted = await uow.run(
    `insert into foreign_sessions (project_id, session_id, callsign, line) values (?, ?, ?, ?) on conflict do nothing`,
    [session.projectId, session.sessionId, session.callsign, session.line],
  );
  return inserted === 1;
}

export async function selectForeignSession(
  reader: Reader,
  projectId: string,
  sessionId: string,
): Promise<string | undefined> {
  const row = await reader.get<{ line: string }>(
    'select line from foreign_sessions where project_id = ? and session_id = ?',
    [projectId, sessionId],
  );
  return row?.line;
}
