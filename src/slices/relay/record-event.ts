import type { JsonObject } from '../../kernel/json/value.ts';
import type { Actor } from '../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import type { PlainAttributes } from './otlp/model.ts';
import type { RelayDeps } from './ports.ts';
import { ATTR } from './spans/attribute-registry.ts';

export interface NewEvent {
  readonly projectId: string;
  readonly actor: Actor;
  /** The A2A contextId: its Session takes the event, or the actor's standing one where there is none. */
  readonly contextId: string | undefined;
  readonly type: string;
  readonly payload: JsonObject;
}

/** Writes a decision or a task's boundary to the journal, and answers what the spans say of it. */
export type EventRecorder = (uow: UnitOfWork, event: NewEvent) => Promise<PlainAttributes>;

export function createEventRecorder({
  sessions,
  journal,
}: Pick<RelayDeps, 'sessions' | 'journal'>): EventRecorder {
  return async (uow, { projectId, actor, contextId, type, payload }) => {
    const session = contextId
      ? await sessions.sessionForRef(uow, { projectId, scheme: 'a2a', value: contextId }, { actor })
      : await sessions.standingSession(uow, projectId, actor);
    const { eventId } = await journal.append(uow, {
      chain: { sessionId: session.sessionId, kind: 'ledger' },
      type,
      payload,
      parentSpanId: session.rootSpanId,
    });
    return { [ATTR.journalSession]: session.sessionId, [ATTR.eventId]: eventId };
  };
}
