/**
 * The short way for the common case: a line as we write it that soundly follows the event before. It builds no value and
 * judges nothing else; whatever is not exactly as expected goes the long way, which finds out what it is.
 */
import type { Hasher } from '../hasher.ts';
import { endOfCanonicalValue } from '../json/canonical/appendix-b-scan.ts';
import { type ChainKind, isEventType } from './event-types.ts';

const encoder = new TextEncoder();

/**
 * ASCII text that is looked for in bytes, eight at a time. They are read as floats, the widest numbers that need no
 * allocation; no eight ASCII bytes make a NaN, so that equal floats are equal bytes.
 */
interface ByteSegment {
  readonly length: number;
  readonly view: DataView;
}

function byteSegment(text: string): ByteSegment {
  const bytes = encoder.encode(text);
  return { length: bytes.length, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/** The bytes viewed must go on for at least the segment's length from there. */
function standsAt(view: DataView, at: number, segment: ByteSegment): boolean {
  const { length, view: wanted } = segment;
  if (at + length > view.byteLength) return false;
  let step = 0;
  for (; step + 8 <= length; step += 8) {
    if (view.getFloat64(at + step, true) !== wanted.getFloat64(step, true)) return false;
  }
  for (; step < length; step += 1) {
    if (view.getUint8(at + step) !== wanted.getUint8(step)) return false;
  }
  return true;
}

/** Copies ASCII and returns the offset after what was written. */
function copyBytes(from: DataView, start: number, end: number, to: DataView, toAt: number): number {
  const shift = toAt - start;
  let at = start;
  for (; at + 8 <= end; at += 8) to.setFloat64(at + shift, from.getFloat64(at, true), true);
  for (; at < end; at += 1) to.setUint8(at + shift, from.getUint8(at));
  return end + shift;
}

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

/** An event type with what follows it on a line. */
interface TypeSegment {
  readonly eventType: string;
  readonly segment: ByteSegment;
}

const UUID = 36;
const HASH = 64;
const QUOTE = 0x22;
const DASH = 0x2d;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const VERSION = '1.0';
const PARENT = '","parent_span_id":';
const BEFORE_PAYLOAD = '","payload":';
const MOST_TYPES = 32;
const SMALLEST_ROOM = 2048;

const opening = byteSegment(`{"trace_version":"${VERSION}","event_id":"`);
const nullParent = byteSegment(`${PARENT}null,`);
const quotedParent = byteSegment(`${PARENT}"`);
const beforeType = byteSegment('","event_type":"');
const hashFirst = byteSegment(',"event_hash":"');
const linkSecond = byteSegment('","previous_event_hash":"');
const linkFirst = byteSegment(',"previous_event_hash":"');
const hashSecond = byteSegment('","event_hash":"');
const closing = byteSegment('"}');

/** The fixed part of the preimage: version, event, trace and span. */
const EVENT_AT = VERSION.length;
const TRACE_AT = EVENT_AT + UUID;
const SPAN_AT = TRACE_AT + UUID;
const PARENT_AT = SPAN_AT + UUID;

const IS_HEX = new Uint8Array(256);
for (const digit of '0123456789abcdefABCDEF') IS_HEX[digit.charCodeAt(0)] = 1;

export class SoundLines {
  private readonly hasher: Hasher;
  private readonly kind: ChainKind;
  private readonly encoder = new TextEncoder();
  private readonly types: TypeSegment[] = [];
  private readonly hashBytes = new Uint8Array(HASH);
  /** The hash of the event before, which a line must link to. */
  private readonly link: ByteSegment = { length: HASH, view: new DataView(this.hashBytes.buffer) };
  private bytes = new Uint8Array(0);
  private view = new DataView(this.bytes.buffer);
  private preimage = new Uint8Array(0);
  private preimageView = new DataView(this.preimage.buffer);
  private before: LineBefore | undefined;
  private ready = false;
  private dayMicros = 0;
  private traceSegment = opening;
  private parentSegment = opening;
  private dateSegment = opening;
  /** Offset of the sequence in the preimage. */
  private sequenceAt = 0;

  constructor(hasher: Hasher, kind: ChainKind) {
    this.hasher = hasher;
    this.kind = kind;
  }

  /** After an event that went the long way; `undefined` when there is nothing to follow. */
  follow(before: LineBefore | undefined): void {
    this.before = before;
    this.ready = false;
  }

  /** Undefined does not mean the line is bad. With `plainOnly`, a payload with escapes goes the long way. */
  accept(line: string, plainOnly: boolean): SoundLine | undefined {
    const before = this.before;
    if (before === undefined || !this.prepare(before, line)) return undefined;
    const { bytes, view, preimageView: preimage } = this;

    const eventAt = opening.length;
    const spanAt = eventAt + UUID + this.traceSegment.length;
    const parentAt = spanAt + UUID;
    if (!standsAt(view, 0, opening) || !isUuid(bytes, eventAt)) return undefined;
    if (!standsAt(view, eventAt + UUID, this.traceSegment)) return undefined;
    if (!isUuid(bytes, spanAt)) return undefined;
    if (!standsAt(view, parentAt, this.parentSegment)) {
      this.changeParent(line, parentAt, before.sessionId);
      if (!standsAt(view, parentAt, this.parentSegment)) return undefined;
    }

    const sequence = before.sequence + 1;
    const sequenceAt = parentAt + this.parentSegment.length;
    const sequenceEnd = endOfDigits(bytes, sequenceAt, sequence);
    const timeAt = sequenceEnd + this.dateSegment.length;
    if (sequenceEnd < 0 || !standsAt(view, sequenceEnd, this.dateSegment)) return undefined;
    const dayMicros = timeOfDay(bytes, timeAt);
    if (dayMicros < this.dayMicros) return undefined;
    const stampAt = timeAt - 'YYYY-MM-DDT'.length;
    const stampEnd = timeAt + 'HH:MM:SS.ffffffZ'.length;

    const type = this.typeAt(line, stampEnd);
    if (type === undefined) return undefined;
    const typeAt = stampEnd + beforeType.length;
    const typeEnd = typeAt + type.eventType.length;
    const payloadAt = typeAt + type.segment.length;
    const payloadEnd = bytes[payloadAt] === OPEN_BRACE ? endOfCanonicalValue(bytes, payloadAt) : -1;
    if (payloadEnd < 0) return undefined;
    if (plainOnly && bytes.subarray(payloadAt, payloadEnd).includes(BACKSLASH)) return undefined;
    const hashAt = this.hashPosition(payloadEnd, line.length);
    if (hashAt < 0) return undefined;

    copyBytes(view, eventAt, eventAt + UUID, preimage, EVENT_AT);
    copyBytes(view, spanAt, spanAt + UUID, preimage, SPAN_AT);
    let end = copyBytes(view, sequenceAt, sequenceEnd, preimage, this.sequenceAt);
    end = copyBytes(view, stampAt, stampEnd, preimage, end);
    end = copyBytes(view, typeAt, typeEnd, preimage, end);
    end = copyBytes(view, payloadAt, payloadEnd, preimage, end);
    end = copyBytes(this.link.view, 0, HASH, preimage, end);
    const eventHash = this.hasher.hex(this.preimage.subarray(0, end));
    this.encoder.encodeInto(eventHash, this.hashBytes);
    if (!standsAt(view, hashAt, this.link)) {
      this.ready = false;
      return undefined;
    }

    this.dayMicros = dayMicros;
    const timestamp = line.slice(stampAt, stampEnd);
    const { eventType } = type;
    const { traceId, sessionId } = before;
    this.before = { traceId, sessionId, sequence, timestamp, eventType, eventHash };
    return this.before;
  }

  /** False unless the line is ASCII and the event before has the shape that this way needs. */
  private prepare(before: LineBefore, line: string): boolean {
    if (line.length >= this.bytes.length) {
      const room = Math.max(SMALLEST_ROOM, 2 * line.length);
      this.bytes = new Uint8Array(room);
      this.view = new DataView(this.bytes.buffer);
      this.preimage = new Uint8Array(room);
      this.preimageView = new DataView(this.preimage.buffer);
      this.ready = false;
    }
    if (this.encoder.encodeInto(line, this.bytes).written !== line.length) return false;
    // Leftovers of an earlier, longer line must not be read as part of this one.
    this.bytes[line.length] = 0;
    if (this.ready) return true;
    const { traceId, sessionId, timestamp, eventHash } = before;
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{6}Z$/.test(timestamp)) return false;
    if (traceId.length !== UUID || sessionId.length !== UUID || eventHash.length !== HASH) return false;
    this.encoder.encodeInto(VERSION, this.preimage);
    this.encoder.encodeInto(traceId, this.preimage.subarray(TRACE_AT));
    this.encoder.encodeInto(eventHash, this.hashBytes);
    this.traceSegment = byteSegment(`","trace_id":"${traceId}","span_id":"`);
    this.dateSegment = byteSegment(`,"timestamp":"${timestamp.slice(0, 11)}`);
    this.dayMicros = timeOfDay(this.encoder.encode(timestamp), 11);
    this.useParent(null, sessionId);
    this.ready = true;
    return true;
  }

  /** Expects the parent that is there, if any. */
  private changeParent(line: string, at: number, sessionId: string): void {
    if (standsAt(this.view, at, nullParent)) {
      this.useParent(null, sessionId);
    } else if (standsAt(this.view, at, quotedParent)) {
      const idAt = at + quotedParent.length;
      if (isUuid(this.bytes, idAt)) this.useParent(line.slice(idAt, idAt + UUID), sessionId);
    }
  }

  private useParent(parent: string | null, sessionId: string): void {
    const written = parent === null ? 'null' : `"${parent}"`;
    this.parentSegment = byteSegment(`${PARENT}${written},"session_id":"${sessionId}","sequence":`);
    const hashed = (parent ?? '') + sessionId;
    this.encoder.encodeInto(hashed, this.preimage.subarray(PARENT_AT));
    this.sequenceAt = PARENT_AT + hashed.length;
  }

  private typeAt(line: string, at: number): TypeSegment | undefined {
    if (!standsAt(this.view, at, beforeType)) return undefined;
    const start = at + beforeType.length;
    for (const known of this.types) {
      if (standsAt(this.view, start, known.segment)) return known;
    }
    const eventType = line.slice(start, line.indexOf('"', start));
    const type = { eventType, segment: byteSegment(eventType + BEFORE_PAYLOAD) };
    if (!isEventType(this.kind, eventType) || !standsAt(this.view, start, type.segment)) return undefined;
    if (this.types.length < MOST_TYPES) this.types.push(type);
    return type;
  }

  /** The offset of the event's own hash, if only it and the link follow the payload; otherwise -1. */
  private hashPosition(payloadEnd: number, lineEnd: number): number {
    const { view, link } = this;
    const both = hashFirst.length + linkSecond.length + 2 * HASH + closing.length;
    if (lineEnd - payloadEnd !== both || !standsAt(view, lineEnd - closing.length, closing)) return -1;
    if (standsAt(view, payloadEnd, hashFirst)) {
      const hashAt = payloadEnd + hashFirst.length;
      const linkAt = hashAt + HASH + linkSecond.length;
      return standsAt(view, hashAt + HASH, linkSecond) && standsAt(view, linkAt, link) ? hashAt : -1;
    }
    const linkAt = payloadEnd + linkFirst.length;
    if (!standsAt(view, payloadEnd, linkFirst) || !standsAt(view, linkAt, link)) return -1;
    return standsAt(view, linkAt + HASH, hashSecond) ? linkAt + HASH + hashSecond.length : -1;
  }
}

function isUuid(bytes: Uint8Array, at: number): boolean {
  let hexDigits = 0;
  for (let step = 0; step < UUID; step += 1) hexDigits += IS_HEX[bytes[at + step] as number] as number;
  const dashes =
    bytes[at + 8] === DASH && bytes[at + 13] === DASH && bytes[at + 18] === DASH && bytes[at + 23] === DASH;
  return dashes && hexDigits === UUID - 4 && bytes[at + UUID] === QUOTE;
}

/** The offset behind exactly the digits of that integer, or -1. */
function endOfDigits(bytes: Uint8Array, start: number, expected: number): number {
  let value = 0;
  let at = start;
  for (;;) {
    const digit = (bytes[at] as number) - 0x30;
    if (!(digit >= 0 && digit <= 9)) break;
    value = value * 10 + digit;
    at += 1;
  }
  return value === expected && bytes[start] !== 0x30 && at - start <= 15 ? at : -1;
}

/** Microseconds since midnight of `HH:MM:SS.ffffffZ`, or -1. A leap second goes the long way. */
function timeOfDay(bytes: Uint8Array, at: number): number {
  if (bytes[at + 2] !== 0x3a || bytes[at + 5] !== 0x3a || bytes[at + 8] !== 0x2e || bytes[at + 15] !== 0x5a) {
    return -1;
  }
  const hours = numberAt(bytes, at, 2);
  const minutes = numberAt(bytes, at + 3, 2);
  const seconds = numberAt(bytes, at + 6, 2);
  const micros = numberAt(bytes, at + 9, 6);
  if (hours > 23 || minutes > 59 || seconds > 59 || micros > 999_999) return -1;
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros;
}

const NO_NUMBER = 1_000_000_000;

/** Larger than any number of up to six digits where a byte is no digit. */
function numberAt(bytes: Uint8Array, at: number, digits: number): number {
  let value = 0;
  for (let step = 0; step < digits; step += 1) {
    const digit = (bytes[at + step] as number) - 0x30;
    if (digit < 0 || digit > 9) return NO_NUMBER;
    value = value * 10 + digit;
  }
  return value;
}
