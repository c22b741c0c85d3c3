import type { Reader, SqlValue, UnitOfWork } from '../../../spine/storage/database.ts';

/** A client's conversation, and the session that it is. */
export interface AgentSession {
  readonly projectId: string;
  readonly client: string;
  readonly clientSession: string;
  readonly sessionId: string;
  readonly parentSessionId: string | null;
  readonly root: string;
  readonly startedMicros: number;
  readonly lastMicros: number;
  readonly ended: boolean;
  /** How many sessions of ours it has been: one that was ended and taken up again is a new one. */
  readonly times: number;
  /** The deposit that stands for it now. */
  readonly headPackage: string | null;
  /** When the agent last deposited itself: what was before needs no telling. */
  readonly coveredMicros: number;
  /** The newest activity that the deposit tells of. */
  readonly toldMicros: number;
  readonly deposits: number;
}

interface Row {
  readonly project_id: string;
  readonly client: string;
  readonly client_session: string;
  readonly session_id: string;
  readonly parent_session_id: string | null;
  readonly root: string;
  readonly started_us: number;
  readonly last_us: number;
  readonly ended: number;
  readonly times: number;
  readonly head_package: string | null;
  readonly covered_us: number;
  readonly told_us: number;
  readonly deposits: number;
}

const COLUMNS = `project_id, client, client_session, session_id, parent_session_id, root, started_us, last_us, ended,
  times, head_package, covered_us, told_us, deposits`;

const sessionOf = (row: Row): AgentSession => ({
  projectId: row.project_id,
  client: row.client,
  clientSession: row.client_session,
  sessionId: row.session_id,
  parentSessionId: row.parent_session_id,
  root: row.root,
  startedMicros: row.started_us,
  lastMicros: row.last_us,
  ended: row.ended === 1,
  times: row.times,
  headPackage: row.head_package,
  coveredMicros: row.covered_us,
  toldMicros: row.told_us,
  deposits: row.deposits,
});

export interface Conversation {
  readonly projectId: string;
  readonly client: string;
  readonly clientSession: string;
}

export async function selectConversation(
  reader: Reader,
  { projectId, client, clientSession }: Conversation,
): Promise<AgentSession | undefined> {
  const row = await reader.get<Row>(
    `select ${COLUMNS} from agent_sessions where project_id = ? and client = ? and client_session = ?`,
    [projectId, client, clientSession],
  );
  return row && sessionOf(row);
}

export async function selectAgentSession(
  reader: Reader,
  sessionId: string,
): Promise<AgentSession | undefined> {
  const row = await reader.get<Row>(`select ${COLUMNS} from agent_sessions where session_id = ?`, [
    sessionId,
  ]);
  return row && sessionOf(row);
}

/** The same conversation again takes the place of its former session. */
export async function saveAgentSession(uow: UnitOfWork, session: AgentSession): Promise<void> {
  const values: SqlValue[] = [
    session.projectId,
    session.client,
    session.clientSession,
    session.sessionId,
    session.parentSessionId,
    session.root,
    session.startedMicros,
    session.lastMicros,
    session.ended ? 1 : 0,
    session.times,
    session.headPackage,
    session.coveredMicros,
    session.toldMicros,
    session.deposits,
  ];
  await uow.run(
    `insert into agent_sessions (${COLUMNS}) values (${values.map(() => '?').join(', ')})
     on conflict (project_id, client, client_session) do update set
       session_id = excluded.session_id, parent_session_id = excluded.parent_session_id, root = excluded.root,
       started_us = excluded.started_us, last_us = excluded.last_us, ended = excluded.ended, times = excluded.times,
       head_package = excluded.head_package, covered_us = excluded.covered_us, told_us = excluded.told_us,
       deposits = excluded.deposits`,
    values,
  );
}

export async function touchSession(uow: UnitOfWork, sessionId: string, now: number): Promise<void> {
  await uow.run('update agent_sessions set last_us = ? where session_id = ? and last_us < ?', [
    now,
    sessionId,
    now,
  ]);
}

export async function markGone(uow: UnitOfWork, sessionId: string): Promise<void> {
  await uow.run('update agent_sessions set ended = 1 where session_id = ?', [sessionId]);
}

/** Newest first. */
export async function selectLive(
  reader: Reader,
  projectId: string,
  sinceMicros: number,
  limit: number,
): Promise<AgentSession[]> {
  const rows = await reader.all<Row>(
    `select ${COLUMNS} from agent_sessions where project_id = ? and ended = 0 and last_us >= ?
     order by last_us desc limit ?`,
    [projectId, sinceMicros, limit],
  );
  return rows.map(sessionOf);
}

export async function selectBelow(reader: Reader, sessionId: string): Promise<string[]> {
  const rows = await reader.all<{ session_id: string }>(
    'select session_id from agent_sessions where parent_session_id = ? order by session_id limit 200',
    [sessionId],
  );
  return rows.map((row) => row.session_id);
}
