import type { z } from 'zod';
import type { JsonDocument } from '../../../kernel/json/reader.ts';
import { isJsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import { requireProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { bindAgent } from '../../../spine/identity/sessions/bound-agent.ts';
import type { EndReason, Session } from '../../../spine/identity/sessions/session.ts';
import { requireSessionOwner, visibleSession } from '../../../spine/identity/sessions/session-access.ts';
import { selectSessions } from '../../../spine/identity/sessions/session-store.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { getAtlas } from '../atlases/load.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { SessionView, sessionFilterSchema, sessionStartSchema } from './schema.ts';

/** `document` is the body as it was written: the metadata is kept in that form. */
export async function startSession(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  start: z.infer<typeof sessionStartSchema>,
  document: JsonDocument | undefined,
): Promise<Session> {
  const projectId = principal.defaultProject;
  requireProject(principal, projectId);
  if (start.atlas_id !== undefined) await getAtlas(uow, deps, projectId, start.atlas_id);
  const parentSessionId = start.parent_session_id?.toLowerCase();
  const agent = await bindAgent(uow, principal, { agentId: start.agent_id, parentSessionId });
  const metadata = document && isJsonObject(document.value) ? document.value.metadata : undefined;
  return deps.sessions.startSession(uow, {
    projectId,
    actor: principal.actor,
    agent,
    goal: start.goal,
    ...(start.atlas_id !== undefined && { atlasId: start.atlas_id }),
    ...(start.session_id !== undefined && { sessionId: start.session_id.toLowerCase() }),
    ...(parentSessionId && { parentSessionId }),
    ...(metadata !== undefined && { metadata: writeJson(metadata) }),
  });
}

export async function endSession(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  id: string,
  reason: EndReason,
): Promise<void> {
  const sessionId = id.toLowerCase();
  await uow.lock(`carp:${sessionId}`);
  requireSessionOwner(principal, await visibleSession(uow, principal, sessionId));
  await deps.sessions.endSession(uow, sessionId, reason);
}

export async function listSessions(
  reader: Reader,
  principal: Principal,
  { status = 'active', limit = 20, offset = 0 }: z.infer<typeof sessionFilterSchema>,
) {
  requireProject(principal, principal.defaultProject);
  const filter = { limit, offset, ...(status !== 'all' && { status }) };
  const { sessions, total } = await selectSessions(reader, principal.defaultProject, filter);
  return { items: sessions.map(sessionView), total, limit, offset };
}

/** One view for both CRA and the Agentic Protocol. */
export function sessionView(session: Session): SessionView {
  return {
    session_id: session.sessionId,
    agent_id: session.agentId,
    goal: session.goal,
    status: session.status,
    created_at: session.createdAt,
    ended_at: session.endedAt,
    end_reason: session.endReason,
    atlas_id: session.atlasId,
    parent_session_id: session.parentSessionId,
    metadata: session.metadata === null ? null : JSON.parse(session.metadata),
    trace_id: session.traceId,
    callsign: session.callsign,
    project_id: session.projectId,
    actor: session.actor,
    description: session.description,
    started_at: session.createdAt,
  };
}
