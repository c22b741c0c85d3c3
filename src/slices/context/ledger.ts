import { isUuidShaped } from '../../kernel/ids.ts';
import type { JsonObject } from '../../kernel/json/value.ts';
import type { Actor } from '../../spine/identity/principal.ts';
import { selectSession } from '../../spine/identity/sessions/session-store.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import type { ContextPorts } from './ports.ts';

export interface NewEvent {
  readonly projectId: string;
  readonly by: Actor;
  /** The session that the document names, if any; it counts only if it is the actor's own. */
  readonly sessionId?: string | null | undefined;
  readonly type: string;
  readonly payload: JsonObject;
}

export type RecordEvent = (uow: UnitOfWork, event: NewEvent) => Promise<void>;

/** Events go to the ledger of the session that did the work, or else to the actor's standing session. */
export function createEventRecorder({
  journal,
  identity,
}: Pick<ContextPorts, 'journal' | 'identity'>): RecordEvent {
  return async (uow, { projectId, by, sessionId, type, payload }) => {
    const session =
      (await ownSession(uow, projectId, by, sessionId)) ??
      (await identity.standingSession(uow, projectId, by));
    journal.appendLater(uow, {
      sessionId: session.sessionId,
      type,
      payload,
      parentSpanId: session.rootSpanId,
    });
  };
}

/** Anybody may write any `created_by.session_id`, so it counts only if that session is the actor's, in this project. */
async function ownSession(uow: UnitOfWork, projectId: string, by: Actor, sessionId?: string | null) {
  if (!sessionId || !isUuidShaped(sessionId)) return undefined;
  const session = await selectSession(uow, sessionId);
  const own =
    session?.projectId === projectId && session.actor.id === by.id && session.actor.type === by.type;
  return own ? session : undefined;
}
