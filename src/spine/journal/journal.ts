import type { Clock, Micros } from '../../kernel/clock.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import { formatMicros } from '../../kernel/instant.ts';
import { canonicalAppendixB } from '../../kernel/json/canonical/appendix-b.ts';
import { readJson } from '../../kernel/json/reader.ts';
import type { JsonObject } from '../../kernel/json/value.ts';
import { eventHash, GENESIS_HASH, TRACE_VERSION } from '../../kernel/trace/event.ts';
import { isEventType } from '../../kernel/trace/event-types.ts';
import type { UnitOfWork } from '../storage/database.ts';
import { bufferOf } from './chains/append-buffer.ts';
import type { Chain, ChainRef } from './chains/chain.ts';
import { insertChains, insertSystemChain } from './chains/chain-store.ts';
import { journalErrors } from './errors.ts';
import { type PayloadCodec, plainPayloads } from './events/payload-codec.ts';
import { DEEPEST_PAYLOAD } from './events/stored-event.ts';

export interface Entry {
  readonly chain: ChainRef;
  readonly type: string;
  /**
   * Hashed and kept forever, so it never contains personal content, only ids and salted hashes. The texts that
   * CRA makes mandatory (`goal`, `error_message`) are redacted by the caller before they come here.
   */
  readonly payload: JsonObject;
  /** A new span by default. */
  readonly spanId?: string;
  readonly parentSpanId?: string;
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

export interface JournalDeps {
  readonly hasher: Hasher;
  /** Ever-growing UUIDv7. */
  readonly ids: () => string;
  readonly clock: Clock;
  /** How payloads are stored; as plain text by default. */
  readonly payloads?: PayloadCodec;
}

export function createJournal({ hasher, ids, clock, payloads = plainPayloads }: JournalDeps): Journal {
  return {
    async openChains(uow, session) {
      const trace = newChain(session, { sessionId: session.sessionId, kind: 'trace' }, session.sessionId);
      const ledger = newChain(session, { sessionId: session.sessionId, kind: 'ledger' }, session.ledgerId);
      await insertChains(uow, trace, ledger);
      bufferOf(uow).opened(trace);
      bufferOf(uow).opened(ledger);
    },

    async openSystemChain(uow, { chainId, projectId }) {
      const session = { sessionId: chainId, ledgerId: chainId, projectId, traceId: ids() };
      const chain = newChain(session, { sessionId: chainId, kind: 'ledger' }, chainId);
      await insertSystemChain(uow, chain);
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

  function nextEvent(head: Chain, entry: Entry) {
    if (head.ended) throw journalErrors.chain_ended({ details: { session_id: head.sessionId } });
    // Two events of a chain never share an instant, and a clock set back never turns their order around.
    const timeMicros = Math.max(clock.now(), head.lastTime + 1);
    const payload = payloadText(entry.payload);
    const unhashed = {
      trace_version: TRACE_VERSION,
      event_id: ids(),
      trace_id: head.traceId,
      span_id: entry.spanId ?? ids(),
      parent_span_id: entry.parentSpanId ?? null,
      session_id: head.chainId,
      sequence: head.nextSequence,
      timestamp: formatMicros(timeMicros),
      event_type: entry.type,
      payload: entry.payload,
      previous_event_hash: head.headHash,
    };
    return {
      chainId: head.chainId,
      projectId: head.projectId,
      sequence: unhashed.sequence,
      eventId: unhashed.event_id,
      type: entry.type,
      timestamp: unhashed.timestamp,
      timeMicros,
      traceId: head.traceId,
      spanId: unhashed.span_id,
      parentSpanId: unhashed.parent_span_id,
      payload: payloads.seal(payload, unhashed.event_id),
      hash: eventHash(hasher, unhashed, payload),
      previousHash: head.headHash,
    };
  }
}

/** Half a surrogate pair can be written as an escape, but no strict reader takes it back: `lone_surrogate`. */
function payloadText(payload: JsonObject): string {
  const text = canonicalAppendixB(payload);
  if (text.includes('\\ud')) readJson(text, { maxDepth: DEEPEST_PAYLOAD });
  return text;
}

function newChain(session: OpenChains, ref: ChainRef, chainId: string): Chain {
  return {
    ...ref,
    chainId,
    projectId: session.projectId,
    traceId: session.traceId,
    nextSequence: 0,
    headHash: GENESIS_HASH,
    lastTime: 0,
    ended: false,
    prunedThrough: -1,
  };
}
