/**
 * The short way for the common case: a line as we write it that soundly follows the event before. It builds no value and
 * judges nothing else; whatever is not exactly as expected goes the long way, which finds out what it is.
 */
import type { Hasher } from '../hasher.ts';
import { endOfCanonicalValue } from '../json/canonical/appendix-b-scan.ts';
import { type ChainKind, isEventType } from './event-types.ts';

export interface SoundLine {
  readonly sequence: number;
  readonly timestamp: string;
  readonly eventType: string;
  readonly eventHash: string;
}

/** The event that the next line should follow. */
export interface LineBefore extends SoundLine {
  readonly traceId: string;
  readonly sessionId: string;
}

const UUID = 36;
const HASH = 64;
const QUOTE = 0x22;
const VERSION = '1.0';
const OPENING = `{"trace_version":"${VERSION}","event_id":"`;
const PARENT = '","parent_span_id":';
const TYPE = '","event_type":"';
const PAYLOAD = '","payload":';
const OWN_HASH = ',"event_hash":"';
const LINK = '","previous_event_hash":"';
const LINK_FIRST = `,${LINK.slice(2)}`;
const OWN_HASH_LAST = `"${OWN_HASH}`;

/** Where the fixed part of the preimage stands: version, event, trace and span. */
const EVENT_AT = VERSION.length;
const TRACE_AT = EVENT_AT + UUID;
const SPAN_AT = TRACE_AT + UUID;
const PARENT_AT = SPAN_AT + UUID;

const IS_HEX = new Uint8Array(256);
for (const digit of '0123456789abcdefABCDEF') IS_HEX[digit.charCodeAt(0)] = 1;

export class SoundLines {
  readonly #hasher: Hasher;
  readonly #kind: ChainKind;
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(4096);
  #preimage = new Uint8Array(4096);
  #ready = false;
  #before: LineBefore | undefined;
  #parent: string | null = null;
  #dayMicros = 0;
  /** Where the sequence stands in the preimage. */
  #sequenceAt = 0;
  #traceSegment = '';
  #parentSegment = '';
  #dateSegment = '';

  constructor(hasher: Hasher, kind: ChainKind) {
    this.#hasher = hasher;
    this.#kind = kind;
  }

  /** After an event that went the long way; `undefined` when there is nothing to follow. */
  follow(before: LineBefore | undefined): void {
    this.#before = before;
    this.#ready = false;
  }

  /** Undefined says nothing about the line. With `plainOnly`, a payload with escapes goes the long way. */
  accept(line: string, plainOnly: boolean): SoundLine | undefined {
    const before = this.#before;
    if (before === undefined || !this.#prepare(before, line)) return undefined;
    const bytes = this.#bytes;
    const preimage = this.#preimage;
    const eventAt = OPENING.length;
    const spanAt = eventAt + UUID + this.#traceSegment.length;
    if (!line.startsWith(OPENING) || !copyUuid(bytes, eventAt, preimage, EVENT_AT)) return undefined;
    if (!line.startsWith(this.#traceSegment, eventAt + UUID)) return undefined;
    if (!copyUuid(bytes, spanAt, preimage, SPAN_AT)) return undefined;
    if (!line.startsWith(this.#parentSegment, spanAt + UUID) && !this.#changeParent(line, spanAt + UUID)) {
      return undefined;
    }
    const sequenceAt = spanAt + UUID + this.#parentSegment.length;
    const sequence = before.sequence + 1;
    const digits = String(sequence);
    const timeAt = sequenceAt + digits.length + this.#dateSegment.length;
    if (!line.startsWith(digits, sequenceAt)) return undefined;
    if (!line.startsWith(this.#dateSegment, sequenceAt + digits.length)) return undefined;
    const dayMicros = timeOfDay(bytes, timeAt);
    if (dayMicros < this.#dayMicros) return undefined;
    const stampAt = timeAt - 'YYYY-MM-DDT'.length;
    const stampEnd = timeAt + 'HH:MM:SS.ffffffZ'.length;
    if (!line.startsWith(TYPE, stampEnd)) return undefined;
    const typeAt = stampEnd + TYPE.length;
    const typeEnd = line.indexOf('"', typeAt);
    const eventType = line.slice(typeAt, typeEnd);
    if (!isEventType(this.#kind, eventType) || !line.startsWith(PAYLOAD, typeEnd)) return undefined;
    const payloadAt = typeEnd + PAYLOAD.length;
    if (bytes[payloadAt] !== 0x7b) return undefined;
    const payloadEnd = endOfCanonicalValue(bytes, payloadAt);
    if (payloadEnd < 0) return undefined;
    if (plainOnly && bytes.subarray(payloadAt, payloadEnd).includes(0x5c)) return undefined;
    const hashAt = hashPosition(line, payloadEnd, before.eventHash);
    if (hashAt < 0) return undefined;

    let end = copy(bytes, sequenceAt, sequenceAt + digits.length, preimage, this.#sequenceAt);
    end = copy(bytes, stampAt, stampEnd, preimage, end);
    end = copy(bytes, typeAt, typeEnd, preimage, end);
    preimage.set(bytes.subarray(payloadAt, payloadEnd), end);
    end += payloadEnd - payloadAt;
    this.#encoder.encodeInto(before.eventHash, preimage.subarray(end, end + HASH));
    const eventHash = this.#hasher.hex(preimage.subarray(0, end + HASH));
    if (!line.startsWith(eventHash, hashAt)) return undefined;

    this.#dayMicros = dayMicros;
    const timestamp = line.slice(stampAt, stampEnd);
    this.#before = {
      traceId: before.traceId,
      sessionId: before.sessionId,
      sequence,
      timestamp,
      eventType,
      eventHash,
    };
    return this.#before;
  }

  /** False unless the line is ASCII and the event before has the shape that this way needs. */
  #prepare(before: LineBefore, line: string): boolean {
    if (line.length >= this.#bytes.length) {
      this.#bytes = new Uint8Array(2 * line.length);
      this.#preimage = new Uint8Array(2 * line.length);
      this.#ready = false;
    }
    if (this.#encoder.encodeInto(line, this.#bytes).written !== line.length) return false;
    // What an earlier, longer line left behind must not be taken for a part of this one.
    this.#bytes[line.length] = 0;
    if (this.#ready) return true;
    const { traceId, sessionId, timestamp } = before;
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{6}Z$/.test(timestamp)) return false;
    if (traceId.length !== UUID || sessionId.length !== UUID) return false;
    this.#encoder.encodeInto(VERSION, this.#preimage);
    this.#encoder.encodeInto(traceId, this.#preimage.subarray(TRACE_AT));
    this.#traceSegment = `","trace_id":"${traceId}","span_id":"`;
    this.#dateSegment = `,"timestamp":"${timestamp.slice(0, 11)}`;
    this.#dayMicros = timeOfDay(this.#encoder.encode(timestamp), 11);
    this.#useParent(null, sessionId);
    this.#ready = true;
    return true;
  }

  #changeParent(line: string, at: number): boolean {
    const { sessionId } = this.#before as LineBefore;
    const valueAt = at + PARENT.length;
    if (this.#parent !== null && line.startsWith('null', valueAt)) {
      this.#useParent(null, sessionId);
    } else {
      const idAt = valueAt + 1;
      if (!copyUuid(this.#bytes, idAt, this.#preimage, PARENT_AT)) return false;
      this.#useParent(line.slice(idAt, idAt + UUID), sessionId);
    }
    return line.startsWith(this.#parentSegment, at);
  }

  #useParent(parent: string | null, sessionId: string): void {
    this.#parent = parent;
    const written = parent === null ? 'null' : `"${parent}"`;
    this.#parentSegment = `${PARENT}${written},"session_id":"${sessionId}","sequence":`;
    const hashed = (parent ?? '') + sessionId;
    this.#encoder.encodeInto(hashed, this.#preimage.subarray(PARENT_AT));
    this.#sequenceAt = PARENT_AT + hashed.length;
  }
}

/** Where the event's own hash stands, if it, the link and nothing else follow the payload; otherwise -1. */
function hashPosition(line: string, payloadEnd: number, link: string): number {
  const tail = `${link}"}`;
  if (line.startsWith(OWN_HASH, payloadEnd)) {
    const hashAt = payloadEnd + OWN_HASH.length;
    const linkAt = hashAt + HASH + LINK.length;
    const fits = line.length === linkAt + tail.length && line.startsWith(LINK, hashAt + HASH);
    return fits && line.startsWith(tail, linkAt) ? hashAt : -1;
  }
  const hashAt = payloadEnd + LINK_FIRST.length + HASH + OWN_HASH_LAST.length;
  const fits = line.length === hashAt + HASH + 2 && line.endsWith('"}');
  return fits && line.startsWith(LINK_FIRST + link + OWN_HASH_LAST, payloadEnd) ? hashAt : -1;
}

function copyUuid(from: Uint8Array, at: number, to: Uint8Array, toAt: number): boolean {
  for (let step = 0; step < UUID; step += 1) {
    const code = from[at + step] as number;
    const dash = step === 8 || step === 13 || step === 18 || step === 23;
    if (dash ? code !== 0x2d : IS_HEX[code] !== 1) return false;
    to[toAt + step] = code;
  }
  return from[at + UUID] === QUOTE;
}

function copy(from: Uint8Array, start: number, end: number, to: Uint8Array, toAt: number): number {
  const shift = toAt - start;
  for (let at = start; at < end; at += 1) to[at + shift] = from[at] as number;
  return end + shift;
}

/** Microseconds since midnight of `HH:MM:SS.ffffffZ`, or -1. A leap second goes the long way. */
function timeOfDay(bytes: Uint8Array, at: number): number {
  if (bytes[at + 2] !== 0x3a || bytes[at + 5] !== 0x3a || bytes[at + 8] !== 0x2e || bytes[at + 15] !== 0x5a)
    return -1;
  const hours = number(bytes, at, 2);
  const minutes = number(bytes, at + 3, 2);
  const seconds = number(bytes, at + 6, 2);
  const micros = number(bytes, at + 9, 6);
  if (!(hours <= 23 && minutes <= 59 && seconds <= 59 && micros <= 999_999)) return -1;
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros;
}

/** Infinity where a byte is no digit. */
function number(bytes: Uint8Array, at: number, digits: number): number {
  let value = 0;
  for (let step = 0; step < digits; step += 1) {
    const digit = (bytes[at + step] as number) - 0x30;
    if (digit < 0 || digit > 9) return Number.POSITIVE_INFINITY;
    value = value * 10 + digit;
  }
  return value;
}
