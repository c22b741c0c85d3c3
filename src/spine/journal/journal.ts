import type { Micros } from '../../kernel/clock.ts';
import { isEventType } from '../../kernel/trace/event-types.ts';
import type { UnitOfWork } from '../storage/database.ts';
import { bufferOf } from './chains/append-buffer.ts';
import { type ChainRef, newChain, systemLedger } from './chains/chain.ts';
import { insertChains } from './chains/chain-store.ts';
import { journalErrors } from './errors.ts';
import { type EventMakerDeps, eventMaker, type NewEvent } from './events/next-event.ts';

export interface Entry extends NewEvent {
  readonly chain: ChainRef;
}

export interface Appended {
  readonly eventId: string;
  readonly spanId: string;
  readonly sequence: number;
  readonly hash: string;
  readonly time: Micros;
}

export interface OpenChains {
  readonly sessionId: string;
  readonly ledgerId: string;
  readonly projectId: string;
  readonly traceId: string;
}

export interface Journal {
  /** Both chains of a new session. */
  openChains(uow: UnitOfWork, session: OpenChains): Promise<void>;
  /** A ledger that belongs to no session; see `systemChain`. */
  openSystemChain(
    uow: UnitOfWork,
    chain: { readonly chainId: string; readonly projectId: string },
  ): Promise<void>;
  /** Buffered in the unit and written when it ends; the result is final once the unit commits. */
  append(uow: UnitOfWork, entry: Entry): Promise<Appended>;
}

export function createJournal(deps: EventMakerDeps): Journal {
  const nextEvent = eventMaker(deps);
  return {
    async openChains(uow, session) {
      const trace = newChain(session, { sessionId: session.sessionId, kind: 'trace' }, session.sessionId);
      const ledger = newChain(session, { sessionId: session.sessionId, kind: 'ledger' }, session.ledgerId);
      await insertChains(uow, trace, ledger);
      bufferOf(uow).opened(trace);
      bufferOf(uow).opened(ledger);
    },

    async openSystemChain(uow, { chainId, projectId }) {
      const chain = systemLedger({ chainId, projectId, traceId: deps.ids() });
      await insertChains(uow, chain);
      bufferOf(uow).opened(chain);
    },

    async append(uow, entry) {
      if (!isEventType(entry.chain.kind, entry.type)) {
        throw journalErrors.event_refused({ details: { type: entry.type, kind: entry.chain.kind } });
      }
      const buffer = bufferOf(uow);
      await buffer.hold(entry.chain);
      const event = buffer.extend(entry.chain, (head) => ({
        event: nextEvent(head, entry),
        ended: entry.chain.kind === 'trace' && entry.type === 'session.ended',
      }));
      return {
        eventId: event.eventId,
        spanId: event.spanId,
        sequence: event.sequence,
        hash: event.hash,
        time: event.timeMicros,
      };
    },
  };
}
