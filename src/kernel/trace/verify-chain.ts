import { BatonError } from '../error.ts';
import type { Hasher } from '../hasher.ts';
import { parseInstant } from '../instant.ts';
import { canonicalAppendixB } from '../json/canonical/appendix-b.ts';
import { canonicalUtf8Literal } from '../json/canonical/utf8-literal.ts';
import type { Json } from '../json/value.ts';
import type { ChainKind } from './event-types.ts';
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
import { SoundLines } from './sound-line.ts';

export interface ChainOptions {
  /** Defaults to `trace`. */
  readonly kind?: ChainKind;
  /** Defaults to `strict`. */
  readonly mode?: LineMode;
  /** `auto` tries both; the whole chain must fit one. Defaults to `appendix-b`. */
  readonly profile?: 'appendix-b' | 'utf8' | 'auto';
  /** Take events without payload for pruned ones instead of invalid ones. */
  readonly acceptPruned?: boolean;
}

export interface ChainVerifier {
  /** The next event, or its line. Never throws on a bad one: it is reported. */
  push(event: TraceEvent | PrunedTraceEvent | string): void;
  finish(): ChainReport;
}

/** What remains of an event when the next one is judged. */
interface Link {
  readonly sequence: number;
  readonly timestamp: string;
  readonly eventType: string;
  readonly eventHash: string;
}

const WRONG_HASH = 'The hash does not match the event.';

/** Judges a chain event by event, in constant memory as long as it is sound. */
export function createChainVerifier(hasher: Hasher, options: ChainOptions = {}): ChainVerifier {
  const { kind = 'trace', mode = 'strict', profile = 'appendix-b', acceptPruned = false } = options;
  const soundLines = new SoundLines(hasher, kind);
  const goesShortWay = mode !== 'lenient' && profile !== 'utf8';
  const errors: ChainError[] = [];
  const asciiMismatches: ChainError[] = [];
  const utf8Mismatches: ChainError[] = [];
  const warnings: ChainWarning[] = [];
  let count = 0;
  let pruned = 0;
  let ids: { traceId: string; sessionId: string } | undefined;
  let previous: Link | undefined;
  /** After an event that could not be read there is nothing to link to. */
  let unreadableBefore = false;

  function report(error: ChainErrorName, sequence: number | null, details: string, into = errors): void {
    into.push({ index: count, sequence, error, details });
  }

  function pushLine(line: string): void {
    const sound = goesShortWay ? soundLines.accept(line, profile === 'auto') : undefined;
    if (sound === undefined) pushEvent(() => readStoredEvent(line, mode));
    else moveOn(sound);
  }

  function pushEvent(read: () => TraceEvent | PrunedTraceEvent): void {
    let event: TraceEvent | PrunedTraceEvent;
    try {
      event = read();
    } catch (error) {
      report('invalid_event', null, faultText(error));
      count += 1;
      unreadableBefore = true;
      soundLines.follow(undefined);
      return;
    }
    checkPlace(event);
    checkHash(event);
    checkTime(event);
    if (mode !== 'lenient') {
      const fault = syntaxFault(event, kind);
      if (fault !== undefined) report('invalid_event', event.sequence, fault.message);
    }
    ids ??= { traceId: event.trace_id, sessionId: event.session_id };
    const link = {
      sequence: event.sequence,
      timestamp: event.timestamp,
      eventType: event.event_type,
      eventHash: event.event_hash,
    };
    moveOn(link);
    soundLines.follow({ ...ids, ...link });
  }

  function checkPlace(event: TraceEvent | PrunedTraceEvent): void {
    const { sequence, previous_event_hash: link } = event;
    if (!unreadableBefore) {
      const expectedLink = previous?.eventHash ?? GENESIS_HASH;
      if (link !== expectedLink) {
        const error = previous === undefined ? 'invalid_genesis' : 'chain_broken';
        report(error, sequence, `Expected a link to ${expectedLink}, found ${link}.`);
      }
      const expected = previous === undefined ? 0 : previous.sequence + 1;
      if (sequence !== expected) {
        report('sequence_gap', sequence, `Expected sequence ${expected}, found ${sequence}.`);
      }
    }
    if (ids !== undefined && event.session_id !== ids.sessionId) {
      report('session_mismatch', sequence, `Expected session ${ids.sessionId}, found ${event.session_id}.`);
    }
    if (ids !== undefined && event.trace_id !== ids.traceId) {
      report('trace_mismatch', sequence, `Expected trace ${ids.traceId}, found ${event.trace_id}.`);
    }
  }

  function checkHash(event: TraceEvent | PrunedTraceEvent): void {
    if (event.payload === null) {
      pruned += 1;
      if (!acceptPruned) report('invalid_event', event.sequence, 'payload must be an object.');
      return;
    }
    const { payload } = event;
    const matches = (canonical: (value: Json) => string): boolean =>
      hasher.hex(eventPreimage(event, canonical(payload))) === event.event_hash;
    try {
      if (profile !== 'utf8' && !matches(canonicalAppendixB)) {
        report('hash_mismatch', event.sequence, WRONG_HASH, asciiMismatches);
      }
      if (profile !== 'appendix-b' && !matches(canonicalUtf8Literal)) {
        report('hash_mismatch', event.sequence, WRONG_HASH, utf8Mismatches);
      }
    } catch (error) {
      report('invalid_event', event.sequence, faultText(error));
    }
  }

  function checkTime(event: TraceEvent | PrunedTraceEvent): void {
    if (previous === undefined) return;
    const [now, before] = [parseInstant(event.timestamp), parseInstant(previous.timestamp)];
    if (now !== undefined && before !== undefined && now.micros < before.micros) {
      warnings.push({ index: count, sequence: event.sequence, warning: 'timestamp_regression' });
    }
  }

  function moveOn(link: Link): void {
    if (previous?.eventType === 'session.ended') {
      warnings.push({ index: count, sequence: link.sequence, warning: 'event_after_end' });
    }
    previous = link;
    unreadableBefore = false;
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
        ended: previous?.eventType === 'session.ended',
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

/** Only of the product's own errors; any other is a bug and is rethrown. */
function faultText(error: unknown): string {
  if (!(error instanceof BatonError)) throw error;
  return error.pointer
    ? `${error.message} (${error.code} at ${error.pointer})`
    : `${error.message} (${error.code})`;
}
