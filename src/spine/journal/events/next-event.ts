import type { Clock } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { canonicalAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { eventPreimage, TRACE_VERSION } from '../../../kernel/trace/event.ts';
import type { Chain } from '../chains/chain.ts';
import { journalErrors } from '../errors.ts';
import { canLead, idInRun, joinPayloads } from './event-run.ts';
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

/** Several of one type that are said at once, in one row. */
export interface NewRun extends Omit<NewEvent, 'payload'> {
  readonly payloads: readonly [JsonObject, JsonObject, ...JsonObject[]];
}

export interface EventMaker {
  /** The event that follows a chain's head; its payload as text if that is made already. */
  next(head: Chain, entry: NewEvent, payload?: string): PendingEvent;
  /** The first of the events that follow a chain's head, with the others. */
  nextRun(head: Chain, entry: NewRun): PendingEvent;
}

export function eventMaker({ hasher, ids, clock, payloads = plainPayloads }: EventMakerDeps): EventMaker {
  function idFor(length: number): string {
    for (;;) {
      const id = ids();
      if (length === 1 || canLead(id, length)) return id;
    }
  }

  /** What the row has, but for its payload and its other hashes. */
  function beginning(head: Chain, entry: Omit<NewEvent, 'payload'>, length: number) {
    if (head.ended) throw journalErrors.chain_ended({ details: { session_id: head.sessionId } });
    // Two events of a chain never share an instant, and a clock set back never turns their order around.
    const timeMicros = Math.max(clock.now(), head.lastTime + 1);
    return {
      chainId: head.chainId,
      projectId: head.projectId,
      sequence: head.nextSequence,
      eventId: idFor(length),
      type: entry.type,
      timestamp: formatMicros(timeMicros),
      timeMicros,
      traceId: head.traceId,
      spanId: entry.spanId ?? ids(),
      parentSpanId: entry.parentSpanId ?? null,
      previousHash: head.headHash,
    };
  }

  return {
    next(head, entry, payload = payloadText(entry.payload)) {
      const event = beginning(head, entry, 1);
      return {
        ...event,
        payload: payloads.seal(payload, event.eventId),
        hash: hasher.hex(eventPreimage(wireFields(event), payload)),
      };
    },

    nextRun(head, entry) {
      const texts = entry.payloads.map(payloadText);
      const event = beginning(head, entry, texts.length);
      let previousHash = event.previousHash;
      const hashes = texts.map((payload, at) => {
        previousHash = hasher.hex(
          eventPreimage(
            wireFields({
              ...event,
              eventId: idInRun(event.eventId, at),
              sequence: event.sequence + at,
              timestamp: formatMicros(event.timeMicros + at),
              previousHash,
            }),
            payload,
          ),
        );
        return previousHash;
      });
      return {
        ...event,
        payload: payloads.seal(joinPayloads(texts), event.eventId),
        hash: hashes[0] as string,
        followers: { hashes: hashes.slice(1) },
      };
    },
  };
}

function wireFields(event: Omit<PendingEvent, 'payload' | 'hash'>) {
  return {
    trace_version: TRACE_VERSION,
    event_id: event.eventId,
    trace_id: event.traceId,
    span_id: event.spanId,
    parent_span_id: event.parentSpanId,
    session_id: event.chainId,
    sequence: event.sequence,
    timestamp: event.timestamp,
    event_type: event.type,
    previous_event_hash: event.previousHash,
  };
}

/** Half a surrogate pair can be written as an escape, but no strict reader takes it back: `lone_surrogate`. */
export function payloadText(payload: JsonObject): string {
  const text = canonicalAppendixB(payload);
  if (text.includes('\\ud')) readJson(text, { maxDepth: DEEPEST_PAYLOAD });
  return text;
}
