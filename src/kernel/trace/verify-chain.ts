import { BatonError } from '../error.ts';
import type { Hasher } from '../hasher.ts';
import { parseInstant } from '../instant.ts';
import { canonicalAppendixB } from '../json/canonical/appendix-b.ts';
import { canonicalUtf8Literal } from '../json/canonical/utf8-literal.ts';
import type { Json } from '../json/value.ts';
import { type ChainKind, isEventType } from './event-types.ts';
import { takeApart } from './fast-line.ts';
import { eventFields, syntaxFault } from './fields.ts';
import { eventPreimage } from './hash.ts';
import { type LineMode, readStoredEvent } from './line.ts';
import {
  CHAIN_ERRORS,
  type ChainError,
  type ChainErrorName,
  type ChainReport,
  type ChainWarning,
} from './report.ts';
import { GENESIS_HASH, type PrunedTraceEvent, type TraceEvent } from './shape.ts';

export interface ChainOptions {
  /** `trace` unless told. */
  readonly kind?: ChainKind;
  /** `strict` unless told. */
  readonly mode?: LineMode;
  /** `auto` tries both; the whole chain must fit one. `appendix-b` unless told. */
  readonly profile?: 'appendix-b' | 'utf8' | 'auto';
  /** Take events without payload for pruned ones instead of invalid ones. */
  readonly acceptPruned?: boolean;
}

export interface ChainVerifier {
  /** The next event, or its line. Never throws on a bad one: it is reported. */
  push(event: TraceEvent | PrunedTraceEvent | string): void;
  finish(): ChainReport;
}

/** What an event says of itself, however it was read. */
interface Link {
  readonly traceId: string;
  readonly sessionId: string;
  readonly sequence: number;
  readonly micros: number | undefined;
  readonly eventType: string;
  readonly eventHash: string;
  readonly previousHash: string;
}

/** Judges a chain event by event, in constant memory as long as it is sound. */
export function createChainVerifier(hasher: Hasher, options: ChainOptions = {}): ChainVerifier {
  const { kind = 'trace', mode = 'strict', profile = 'appendix-b', acceptPruned = false } = options;
  const errors: ChainError[] = [];
  const asciiMismatches: ChainError[] = [];
  const utf8Mismatches: ChainError[] = [];
  const warnings: ChainWarning[] = [];
  let count = 0;
  let pruned = 0;
  let first: Link | undefined;
  let previous: Link | undefined;
  let ended = false;
  /** After an event that could not be read there is nothing to link to. */
  let unknownBefore = false;

  function report(error: ChainErrorName, sequence: number | null, details: string, into = errors): void {
    into.push({ index: count, sequence, error, details });
  }

  function pushLine(line: string): void {
    const fast = mode === 'lenient' || profile === 'utf8' ? undefined : takeApart(line);
    if (fast === undefined) {
      pushEvent(() => readStoredEvent(line, mode));
      return;
    }
    const micros = parseInstant(fast.timestamp)?.micros;
    const link: Link = { ...fast, micros };
    checkPlace(link);
    if (hasher.hex(fast.preimage) !== fast.eventHash) {
      report('hash_mismatch', link.sequence, 'The hash is not that of the event.', asciiMismatches);
      // The payload is ASCII, where both profiles write the same.
      report('hash_mismatch', link.sequence, 'The hash is not that of the event.', utf8Mismatches);
    }
    if (micros === undefined)
      report('invalid_event', link.sequence, 'timestamp must be an RFC 3339 instant.');
    if (!isEventType(kind, link.eventType)) {
      report('invalid_event', link.sequence, `event_type is none of a ${kind} chain.`);
    }
    moveOn(link);
  }

  function pushEvent(read: () => TraceEvent | PrunedTraceEvent): void {
    let event: TraceEvent | PrunedTraceEvent;
    try {
      event = read();
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      report('invalid_event', null, faultText(error));
      count += 1;
      unknownBefore = true;
      return;
    }
    const link: Link = {
      traceId: event.trace_id,
      sessionId: event.session_id,
      sequence: event.sequence,
      micros: parseInstant(event.timestamp)?.micros,
      eventType: event.event_type,
      eventHash: event.event_hash,
      previousHash: event.previous_event_hash,
    };
    checkPlace(link);
    checkHash(event);
    if (mode !== 'lenient') {
      const fault = syntaxFault(event, kind);
      if (fault !== undefined) report('invalid_event', link.sequence, fault.message);
    }
    moveOn(link);
  }

  function checkPlace(link: Link): void {
    const { sequence } = link;
    if (previous === undefined && !unknownBefore) {
      if (link.previousHash !== GENESIS_HASH) {
        report('invalid_genesis', sequence, 'The first event must link to 64 zeros.');
      }
      if (sequence !== 0) report('sequence_gap', sequence, `Expected sequence 0, found ${sequence}.`);
    } else if (previous !== undefined && !unknownBefore) {
      if (link.previousHash !== previous.eventHash) {
        report(
          'chain_broken',
          sequence,
          `Expected a link to ${previous.eventHash}, found ${link.previousHash}.`,
        );
      }
      if (sequence !== previous.sequence + 1) {
        report('sequence_gap', sequence, `Expected sequence ${previous.sequence + 1}, found ${sequence}.`);
      }
    }
    if (first !== undefined && link.sessionId !== first.sessionId) {
      report('session_mismatch', sequence, `Expected session ${first.sessionId}, found ${link.sessionId}.`);
    }
    if (first !== undefined && link.traceId !== first.traceId) {
      report('trace_mismatch', sequence, `Expected trace ${first.traceId}, found ${link.traceId}.`);
    }
    if (ended) warnings.push({ index: count, sequence, warning: 'event_after_end' });
    if (link.micros !== undefined && previous?.micros !== undefined && link.micros < previous.micros) {
      warnings.push({ index: count, sequence, warning: 'timestamp_regression' });
    }
  }

  function checkHash(event: TraceEvent | PrunedTraceEvent): void {
    if (event.payload === null) {
      pruned += 1;
      if (!acceptPruned) report('invalid_event', event.sequence, 'payload must be an object.');
      return;
    }
    try {
      const matches = (canonical: (value: Json) => string): boolean =>
        hasher.hex(eventPreimage(event, canonical(event.payload))) === event.event_hash;
      const details = 'The hash is not that of the event.';
      if (profile !== 'utf8' && !matches(canonicalAppendixB)) {
        report('hash_mismatch', event.sequence, details, asciiMismatches);
      }
      if (profile !== 'appendix-b' && !matches(canonicalUtf8Literal)) {
        report('hash_mismatch', event.sequence, details, utf8Mismatches);
      }
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      report('invalid_event', event.sequence, faultText(error));
    }
  }

  function moveOn(link: Link): void {
    first ??= link;
    previous = link;
    unknownBefore = false;
    ended = link.eventType === 'session.ended';
    count += 1;
  }

  return {
    push(event) {
      if (typeof event === 'string') pushLine(event);
      else pushEvent(() => eventFields(event as unknown as Json, mode !== 'lenient'));
    },
    finish() {
      const judged = judgedProfile(profile, asciiMismatches.length, utf8Mismatches.length);
      const all = [...errors, ...(judged === 'utf8' ? utf8Mismatches : asciiMismatches)].sort(
        (a, b) => a.index - b.index || CHAIN_ERRORS.indexOf(a.error) - CHAIN_ERRORS.indexOf(b.error),
      );
      return {
        valid: all.length === 0,
        event_count: count,
        ended,
        errors: all,
        warnings: [...warnings],
        head: previous?.eventHash ?? GENESIS_HASH,
        pruned,
        profile: judged,
      };
    },
  };
}

function judgedProfile(
  asked: 'appendix-b' | 'utf8' | 'auto',
  asciiMismatches: number,
  utf8Mismatches: number,
): 'appendix-b' | 'utf8' {
  if (asked !== 'auto') return asked;
  return utf8Mismatches < asciiMismatches ? 'utf8' : 'appendix-b';
}

function faultText(error: BatonError): string {
  return error.pointer
    ? `${error.message} (${error.code} at ${error.pointer})`
    : `${error.message} (${error.code})`;
}
