import type { Session } from '../../../spine/identity/sessions/session.ts';
import type { SessionView } from './schema.ts';

/** At once CRA's session and the Agentic Protocol's. */
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
