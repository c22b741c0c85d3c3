import type { Reader, SqlValue, UnitOfWork } from '../../storage/database.ts';
import type { Actor } from '../principal.ts';
import type { BoundAgent } from './bound-agent.ts';
import type { EndReason, Session, SessionStatus } from './session.ts';

interface SessionRow {
  readonly session_id: string;
  readonly project_id: string;
  readonly callsign: string | null;
  readonly actor_id: string;
  readonly actor_type: Actor['type'];
  readonly agent_id: string | null;
  readonly goal: string | null;
  readonly bound_agent: string | null;
  readonly atlas_id: string | null;
  readonly description: string | null;
  readonly status: SessionStatus;
  readonly standing: number;
  readonly created_at: string;
  readonly created_us: number;
  readonly ended_at: string | null;
  readonly end_reason: EndReason | null;
  readonly parent_session_id: string | null;
  readonly ledger_chain_id: string;
  readonly trace_id: string;
  readonly root_span_id: string;
  readonly metadata: string | null;
  readonly subject: string;
}

const COLUMNS = `session_id, project_id, callsign, actor_id, actor_type, agent_id, goal, atlas_id, description, status,
  standing, created_at, created_us, ended_at, end_reason, parent_session_id, ledger_chain_id, trace_id, root_span_id,
  metadata, subject, bound_agent`;

function sessionOf(row: SessionRow): Session {
  return {
    sessionId: row.session_id,
    projectId: row.project_id,
    callsign: row.callsign,
    actor: { id: row.actor_id, type: row.actor_type },
    agentId: row.agent_id,
    goal: row.goal,
    boundAgent: row.bound_agent,
    atlasId: row.atlas_id,
    description: row.description,
    status: row.status,
    standing: row.standing === 1,
    createdAt: row.created_at,
    createdMicros: row.created_us,
    endedAt: row.ended_at,
    endReason: row.end_reason,
    parentSessionId: row.parent_session_id,
    ledgerChainId: row.ledger_chain_id,
    traceId: row.trace_id,
    rootSpanId: row.root_span_id,
    metadata: row.metadata,
    subject: row.subject,
  };
}

async function one(reader: Reader, where: string, params: readonly SqlValue[]): Promise<Session | undefined> {
  const row = await reader.get<SessionRow>(`select ${COLUMNS} from sessions where ${where}`, params);
  return row && sessionOf(row);
}

/** Returns false if this id, or a standing session of this actor, already exists. */
export async function insertSession(uow: UnitOfWork, session: Session): Promise<boolean> {
  const values: Record<string, SqlValue> = {
    session_id: session.sessionId,
    project_id: session.projectId,
    callsign: session.callsign,
    actor_id: session.actor.id,
    actor_type: session.actor.type,
    agent_id: session.agentId,
    goal: session.goal,
    bound_agent: session.boundAgent,
    atlas_id: session.atlasId,
    description: session.description,
    status: session.status,
    standing: session.standing ? 1 : 0,
    created_at: session.createdAt,
    created_us: session.createdMicros,
    parent_session_id: session.parentSessionId,
    ledger_chain_id: session.ledgerChainId,
    trace_id: session.traceId,
    root_span_id: session.rootSpanId,
    metadata: session.metadata,
    subject: session.subject,
  };
  const columns = Object.keys(values);
  const inserted = await uow.run(
    `insert into sessions (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})
     on conflict do nothing`,
    Object.values(values),
  );
  return inserted === 1;
}

/** Returns false if it had already ended. */
export async function markEnded(
  uow: UnitOfWork,
  sessionId: string,
  end: { readonly at: string; readonly micros: number; readonly reason: EndReason },
): Promise<boolean> {
  const changed = await uow.run(
    `update sessions set status = 'ended', ended_at = ?, ended_us = ?, end_reason = ?
     where session_id = ? and status = 'active'`,
    [end.at, end.micros, end.reason, sessionId],
  );
  return changed === 1;
}

/** Returns false if the session already had a goal. */
export async function markTraced(
  uow: UnitOfWork,
  sessionId: string,
  agent: BoundAgent,
  goal: string,
): Promise<boolean> {
  const changed = await uow.run(
    'update sessions set agent_id = ?, bound_agent = ?, goal = ? where session_id = ? and goal is null',
    [agent.id, agent.bound, goal, sessionId],
  );
  return changed === 1;
}

export function selectSession(reader: Reader, sessionId: string): Promise<Session | undefined> {
  return one(reader, 'session_id = ?', [sessionId]);
}

export function selectStanding(
  reader: Reader,
  projectId: string,
  actor: Actor,
): Promise<Session | undefined> {
  return one(reader, 'project_id = ? and actor_id = ? and actor_type = ? and standing = 1', [
    projectId,
    actor.id,
    actor.type,
  ]);
}

/** The active one if there is one, otherwise the latest: callsigns are reused. */
export function selectByCallsign(
  reader: Reader,
  projectId: string,
  callsign: string,
): Promise<Session | undefined> {
  return one(
    reader,
    'project_id = ? and callsign = ? order by status, created_us desc, session_id desc limit 1',
    [projectId, callsign],
  );
}

export async function selectTakenCallsigns(
  reader: Reader,
  projectId: string,
  callsigns: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.all<{ callsign: string }>(
    `select callsign from sessions
     where project_id = ? and status = 'active' and callsign in (${callsigns.map(() => '?').join(', ')})`,
    [projectId, ...callsigns],
  );
  return new Set(rows.map((row) => row.callsign));
}

export interface SessionFilter {
  readonly status?: SessionStatus | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Newest first, without standing sessions. */
export async function selectSessions(
  reader: Reader,
  projectId: string,
  filter: SessionFilter,
): Promise<{ readonly sessions: Session[]; readonly total: number }> {
  const where = `project_id = ? and standing = 0${filter.status ? ' and status = ?' : ''}`;
  const params = filter.status ? [projectId, filter.status] : [projectId];
  const count = await reader.get<{ total: number }>(
    `select count(*) as total from sessions where ${where}`,
    params,
  );
  const rows = await reader.all<SessionRow>(
    `select ${COLUMNS} from sessions where ${where} order by created_us desc, session_id desc limit ? offset ?`,
    [...params, filter.limit, filter.offset],
  );
  return { sessions: rows.map(sessionOf), total: count?.total ?? 0 };
}

export async function selectRef(
  reader: Reader,
  projectId: string,
  scheme: string,
  value: string,
): Promise<Session | undefined> {
  return one(
    reader,
    'session_id = (select session_id from session_refs where project_id = ? and scheme = ? and value = ?)',
    [projectId, scheme, value],
  );
}

interface Ref {
  readonly projectId: string;
  readonly scheme: string;
  readonly value: string;
}

/** Lets another session stand for the id from now on. */
export async function moveRef(uow: UnitOfWork, ref: Ref, sessionId: string): Promise<void> {
  await uow.run('update session_refs set session_id = ? where project_id = ? and scheme = ? and value = ?', [
    sessionId,
    ref.projectId,
    ref.scheme,
    ref.value,
  ]);
}

export async function insertRef(uow: UnitOfWork, ref: Ref, sessionId: string): Promise<void> {
  await uow.run('insert into session_refs (project_id, scheme, value, session_id) values (?, ?, ?, ?)', [
    ref.projectId,
    ref.scheme,
    ref.value,
    sessionId,
  ]);
}

export async function selectRefs(
  reader: Reader,
  sessionId: string,
): Promise<{ readonly scheme: string; readonly value: string }[]> {
  return reader.all('select scheme, value from session_refs where session_id = ? order by scheme, value', [
    sessionId,
  ]);
}

/** The actor's latest active session, not counting standing ones. */
export function selectActiveSession(
  reader: Reader,
  projectId: string,
  actor: Actor,
): Promise<Session | undefined> {
  return one(
    reader,
    `project_id = ? and actor_id = ? and actor_type = ? and status = 'active' and standing = 0
     order by created_us desc limit 1`,
    [projectId, actor.id, actor.type],
  );
}

/** Sessions of a project by age, after the last one that the reader has, without standing ones. */
export async function selectSessionsAfter(
  reader: Reader,
  projectId: string,
  last: Pick<Session, 'createdMicros' | 'sessionId'> | undefined,
  limit: number,
): Promise<Session[]> {
  const rows = await reader.all<SessionRow>(
    `select ${COLUMNS} from sessions where project_id = ? and standing = 0 and (created_us, session_id) > (?, ?)
     order by created_us, session_id limit ?`,
    [projectId, last?.createdMicros ?? -1, last?.sessionId ?? '', limit],
  );
  return rows.map(sessionOf);
}

/** Every session that ever had the callsign: callsigns are used again. */
export interface CallsignHolder {
  readonly session_id: string;
  readonly actor_id: string;
  readonly agent_id: string | null;
}

export function selectCallsignHolders(
  reader: Reader,
  projectId: string,
  callsign: string,
): Promise<CallsignHolder[]> {
  return reader.all(
    'select session_id, actor_id, agent_id from sessions where project_id = ? and callsign = ?',
    [projectId, callsign],
  );
}

/** The actor of each session, by session id. */
export async function selectActorIds(
  reader: Reader,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.all<{ session_id: string; actor_id: string }>(
    `select session_id, actor_id from sessions where session_id in (${sessionIds.map(() => '?').join(', ')})`,
    sessionIds,
  );
  return new Map(rows.map((row) => [row.session_id, row.actor_id]));
}
