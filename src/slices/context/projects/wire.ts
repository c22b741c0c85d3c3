import type { Project } from '../../../spine/identity/projects/project.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import type { projectSchema, sessionSchema } from './schema.ts';

/** The Project object: what we know, what its owner set, and members of others. */
export function projectBody(project: Project): (typeof projectSchema)['_output'] {
  return {
    project_id: project.projectId,
    name: project.name,
    description: project.description,
    created_at: project.createdAt,
    archived_at: project.archivedAt,
    settings: JSON.parse(project.settings),
    ...JSON.parse(project.extra),
  };
}

export function sessionBody(
  session: Session,
  packages: readonly string[],
): (typeof sessionSchema)['_output'] {
  return {
    session_id: session.sessionId,
    project_id: session.projectId,
    actor_id: session.actor.id,
    actor_type: session.actor.type,
    callsign: session.callsign,
    started_at: session.createdAt,
    ended_at: session.endedAt,
    packages_deposited: [...packages],
  };
}
