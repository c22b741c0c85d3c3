import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import type { Journal } from '../../../spine/journal/journal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';

/** The events of one operation: they share a span, whose parent is the session's. */
export interface TraceSpan {
  readonly spanId: string;
  emit(type: string, payload: JsonObject): Promise<void>;
  /** One event for each payload. */
  emitAll(type: string, payloads: readonly Readonly<JsonObject>[]): Promise<void>;
}

export function traceSpan(
  uow: UnitOfWork,
  journal: Journal,
  session: Pick<Session, 'sessionId' | 'rootSpanId' | 'status'>,
  spanId: string,
): TraceSpan {
  // A closed trace takes no more events: what comes after its end goes to the ledger.
  const late = session.status === 'ended';
  const entryOf = (type: string) => ({
    chain: { sessionId: session.sessionId, kind: late ? ('ledger' as const) : ('trace' as const) },
    type: late ? `late.${type}` : type,
    spanId,
    parentSpanId: session.rootSpanId,
  });
  return {
    spanId,
    async emit(type, payload) {
      await journal.append(uow, { ...entryOf(type), payload });
    },
    emitAll: (type, payloads) => journal.appendAll(uow, { ...entryOf(type), payloads }),
  };
}
