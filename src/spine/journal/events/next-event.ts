import type { Clock } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { canonicalAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { eventHash, TRACE_VERSION } from '../../../kernel/trace/event.ts';
import type { Chain } from '../chains/chain.ts';
import { journalErrors } from '../errors.ts';
import type { PendingEvent } from './event-store.ts';
import { type PayloadCodec, plainPayloads } from './payload-codec.ts';
import { DEEPEST_PAYLOAD } from './stored-event.ts';

export interface NewEvent {
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

export interface EventMakerDeps {
  readonly hasher: Hasher;
  /** Ever-growing UUIDv7. */
  readonly ids: () => string;
  readonly clock: Clock;
  /** How payloads are stored; as plain text by default. */
  readonly payloads?: PayloadCodec;
}

/** Makes the event that follows a chain's head. */
export function eventMaker({ hasher, ids, clock, payloads = plainPayloads }: EventMakerDeps) {
  return (head: Chain, entry: NewEvent): PendingEvent => {
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
  };
}

/** Half a surrogate pair can be written as an escape, but no strict reader takes it back: `lone_surrogate`. */
function payloadText(payload: JsonObject): string {
  const text = canonicalAppendixB(payload);
  if (text.includes('\\ud')) readJson(text, { maxDepth: DEEPEST_PAYLOAD });
  return text;
}
