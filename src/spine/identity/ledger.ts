import type { JsonObject } from '../../kernel/json/value.ts';
import type { Journal } from '../journal/journal.ts';
import type { UnitOfWork } from '../storage/database.ts';
import type { Actor } from './principal.ts';
import type { Sessions } from './sessions/sessions.ts';

export interface LedgerEntry {
  readonly projectId: string;
  readonly actor: Actor;
  readonly type: string;
  readonly payload: JsonObject;
}

/** Writes what happened outside any session to the ledger of the actor's standing session, in the same unit. */
export type RecordEvent = (uow: UnitOfWork, entry: LedgerEntry) => Promise<void>;

export function createRecorder(journal: Journal, sessions: Pick<Sessions, 'standingSession'>): RecordEvent {
  return async (uow, entry) => {
    const session = await sessions.standingSession(uow, entry.projectId, entry.actor);
    journal.appendLater(uow, {
      sessionId: session.sessionId,
      type: entry.type,
      payload: entry.payload,
      parentSpanId: session.rootSpanId,
    });
  };
}
