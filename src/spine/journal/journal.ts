import type { Micros } from '../../kernel/clock.ts';
import type { JsonObject } from '../../kernel/json/value.ts';
import { type ChainKind, isEventType } from '../../kernel/trace/event-types.ts';
import type { UnitOfWork } from '../storage/database.ts';
import { type Buffer, bufferOf } from './chains/append-buffer.ts';
import { type ChainRef, newChain, systemLedger } from './chains/chain.ts';
import { insertChains } from './chains/chain-store.ts';
import { journalErrors } from './errors.ts';
import { MOST_IN_A_ROW } from './events/event-run.ts';
import {
  type EventMakerDeps,
  eventMaker,
  type NewEvent,
  type NewRun,
  payloadText,
} from './events/next-event.ts';

export interface Entry extends NewEvent {
  readonly chain: ChainRef;
}

/** Events of one type and span that are said at once: no more than their payloads tell them apart. */
export interface Entries extends Omit<Entry, 'payload'> {
  readonly payloads: readonly JsonObject[];
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
  /** For an event of a session's ledger of which the unit needs to know nothing: the commit makes it. */
  appendLater(uow: UnitOfWork, entry: NewEvent & { readonly sessionId: string }): void;
  /** As one `append` for each payload, in their order; they are stored in few rows. */
  appendAll(uow: UnitOfWork, entries: Entries): Promise<void>;
}

export function createJournal(deps: EventMakerDeps): Journal {
  const make = eventMaker(deps);

  async function holding(uow: UnitOfWork, { chain, type }: Pick<Entry, 'chain' | 'type'>): Promise<Buffer> {
    requireEventType(chain.kind, type);
    const buffer = bufferOf(uow);
    await buffer.hold(chain);
    return buffer;
  }

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
      const buffer = await holding(uow, entry);
      const event = buffer.extend(entry.chain, (head) => ({
        event: make.next(head, entry),
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

    appendLater(uow, { sessionId, ...entry }) {
      requireEventType('ledger', entry.type);
      // Now, so that what cannot be written fails this unit and no other.
      const payload = payloadText(entry.payload);
      bufferOf(uow).leave(sessionId, (head) => make.next(head, entry, payload));
    },

    async appendAll(uow, { payloads, ...entry }) {
      if (payloads.length === 0) return;
      const buffer = await holding(uow, entry);
      for (let at = 0; at < payloads.length; at += MOST_IN_A_ROW) {
        const some = payloads.slice(at, at + MOST_IN_A_ROW);
        buffer.extend(entry.chain, (head) => ({
          event: isSeveral(some)
            ? make.nextRun(head, { ...entry, payloads: some })
            : make.next(head, { ...entry, payload: some[0] as JsonObject }),
          ended: false,
        }));
      }
    },
  };
}

function requireEventType(kind: ChainKind, type: string): void {
  if (!isEventType(kind, type)) throw journalErrors.event_refused({ details: { type, kind } });
}

const isSeveral = (payloads: readonly JsonObject[]): payloads is NewRun['payloads'] => payloads.length > 1;
