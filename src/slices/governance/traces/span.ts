import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import type { Journal } from '../../../spine/journal/journal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';

/** The events of one operation: they share a span, whose parent is the session's. */
export interface TraceSpan {
  readonly spanId: string;
  emit(type: string, payload: JsonObject): Promise<void>;
}

export function traceSpan(
  uow: UnitOfWork,
  journal: Journal,
  session: Pick<Session, 'sessionId' | 'rootSpanId' | 'status'>,
  spanId: string,
): TraceSpan {
  return {
    spanId,
    async emit(type, payload) {
      // A closed trace takes no more events: what comes after its end goes to the ledger.
      const late = session.status === 'ended';
      await journal.append(uow, {
        chain: { sessionId: session.sessionId, kind: late ? 'ledger' : 'trace' },
        type: late ? `late.${type}` : type,
        payload,
        spanId,
        parentSpanId: session.rootSpanId,
      });
    },
  };
}
