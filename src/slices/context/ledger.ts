import { isUuidShaped } from '../../kernel/ids.ts';
import type { Actor } from '../../spine/identity/principal.ts';
import { selectSession } from '../../spine/identity/sessions/session-store.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import type { ContextParts, RecordLedger } from './context.ts';

/** Events of this slice go to the ledger of the session that did the work, or to the actor's standing one. */
export function createLedger({
  journal,
  identity,
}: Pick<ContextParts, 'journal' | 'identity'>): RecordLedger {
  return async (uow, { projectId, by, sessionId, type, payload }) => {
    const session =
      (await ownSession(uow, projectId, by, sessionId)) ??
      (await identity.standingSession(uow, projectId, by));
    await journal.append(uow, {
      chain: { sessionId: session.sessionId, kind: 'ledger' },
      type,
      payload,
      parentSpanId: session.rootSpanId,
    });
  };
}

/** `created_by.session_id` is text that anybody may write: it counts only where it is that actor's session here. */
async function ownSession(uow: UnitOfWork, projectId: string, by: Actor, sessionId?: string | null) {
  if (!sessionId || !isUuidShaped(sessionId)) return undefined;
  const session = await selectSession(uow, sessionId);
  const own =
    session?.projectId === projectId && session.actor.id === by.id && session.actor.type === by.type;
  return own ? session : undefined;
}
