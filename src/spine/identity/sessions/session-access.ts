import type { Reader } from '../../storage/database.ts';
import { canSeeProject, speaksFor, subjectOf } from '../access.ts';
import { identityErrors } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { Session } from './session.ts';
import { selectSession } from './session-store.ts';

/** A session of a project that the credential cannot see does not exist for it. */
export async function visibleSession(
  reader: Reader,
  principal: Principal,
  sessionId: string,
): Promise<Session> {
  const session = await selectSession(reader, sessionId);
  if (!session || !canSeeProject(principal, session.projectId)) throw identityErrors.session_not_found();
  return session;
}

/** Whoever's credential began it, and whoever speaks for that actor. */
export function isSessionOwner(principal: Principal, session: Session): boolean {
  return session.subject === subjectOf(principal.actor) || speaksFor(principal, session.actor.id);
}

/** Inside a project that it can see, another actor's session is refused openly. */
export function requireSessionOwner(principal: Principal, session: Session): void {
  if (isSessionOwner(principal, session)) return;
  throw identityErrors.session_not_owned();
}

export function requireActiveSession(session: Session): void {
  if (session.status === 'ended') throw identityErrors.session_already_ended();
}
