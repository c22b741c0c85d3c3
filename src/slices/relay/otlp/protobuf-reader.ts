import { encodeBase64 } from '../../../kernel/base64.ts';
import { toHex } from '../../../kernel/hex.ts';
import { giveTurn } from '../../../platform/turn.ts';
import { relayErrors } from '../errors.ts';
import { type Field, type Message, type Scalar, WIRE_TYPES } from './fields.ts';

const MAX_DEPTH = 100;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** A message in OTLP's JSON spelling. Fields that the table does not know are passed over; broken bytes are refused. */
export function decodeMessage(
  message: Message,
  bytes: Uint8Array,
  maxValues = Number.POSITIVE_INFINITY,
): Record<string, unknown> {
  const input = new Input(bytes, maxValues);
  return readMessage(input, message, bytes.length, 0);
}

/** The same for what may be large: lets others have a turn between the messages of the outer levels. */
export function decodeLarge(
  message: Message,
  bytes: Uint8Array,
  maxValues: number,
): Promise<Record<string, unknown>> {
  return readWithTurns(new Input(bytes, maxValues), message, bytes.length, 0);
}

/** Resource, scope, span: what is below is small, or one text. */
const LEVELS_WITH_TURNS = 3;

async function readWithTurns(
  input: Input,
  message: Message,
  end: number,
  depth: number,
): Promise<Record<string, unknown>> {
  if (depth >= LEVELS_WITH_TURNS) return readMessage(input, message, end, depth);
  const value: Record<string, unknown> = {};
  while (input.at < end) {
    await giveTurn();
    const { field, wireType } = nextField(input, message);
    if (!field) skip(input, wireType, end);
    else if (typeof field.type !== 'function')
      put(value, field, readValue(input, field.type, wireType, end, depth));
    else
      put(value, field, await readWithTurns(input, field.type(), nestedEnd(input, wireType, end), depth + 1));
  }
  if (input.at !== end) throw broken('a field ends beyond what holds it');
  return value;
}

class Input {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at = 0;
  valuesLeft: number;

  constructor(bytes: Uint8Array, maxValues: number) {
    this.bytes = bytes;
    this.valuesLeft = maxValues;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  varint(): bigint {
    let result = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw broken('it ends within a number');
      this.at += 1;
      result |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, result);
    }
    throw broken('a number is longer than ten bytes');
  }

  small(): number {
    let result = 0;
    let scale = 1;
    for (let count = 0; count < 10; count += 1) {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw broken('it ends within a number');
      this.at += 1;
      result += (byte & 127) * scale;
      scale *= 128;
      if (byte < 128) return result;
    }
    throw broken('a number is longer than ten bytes');
  }

  take(count: number, end: number): Uint8Array {
    if (count > end - this.at) throw broken('a field is longer than what holds it');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** Start of the next fixed number. */
  fixed(count: number, end: number): number {
    if (count > end - this.at) throw broken('it ends within a number');
    this.at += count;
    return this.at - count;
  }
}

function broken(why: string) {
  return relayErrors.invalid_otlp({ message: `The body is no protobuf of an OTLP export: ${why}.` });
}

function readMessage(input: Input, message: Message, end: number, depth: number): Record<string, unknown> {
  if (depth > MAX_DEPTH) throw broken('it is nested too deeply');
  const value: Record<string, unknown> = {};
  while (input.at < end) {
    const { field, wireType } = nextField(input, message);
    if (field) put(value, field, readValue(input, field.type, wireType, end, depth));
    else skip(input, wireType, end);
  }
  if (input.at !== end) throw broken('a field ends beyond what holds it');
  return value;
}

function nextField(input: Input, message: Message) {
  input.valuesLeft -= 1;
  if (input.valuesLeft < 0) throw relayErrors.export_too_large();
  const tag = input.small();
  const number = Math.floor(tag / 8);
  if (number === 0) throw broken('a field has the number 0');
  return { field: message[number], wireType: tag % 8 };
}

function put(value: Record<string, unknown>, field: Field, read: unknown): void {
  if (!field.repeated) value[field.name] = read;
  else if (Array.isArray(value[field.name])) (value[field.name] as unknown[]).push(read);
  else value[field.name] = [read];
}

function nestedEnd(input: Input, wireType: number, end: number): number {
  if (wireType !== 2) throw broken('a field has another type');
  const size = input.small();
  if (size > end - input.at) throw broken('a message is longer than what holds it');
  return input.at + size;
}

function readValue(
  input: Input,
  type: Scalar | (() => Message),
  wireType: number,
  end: number,
  depth: number,
): unknown {
  if (typeof type === 'function')
    return readMessage(input, type(), nestedEnd(input, wireType, end), depth + 1);
  if (wireType !== WIRE_TYPES[type]) throw broken('a field has another type');
  if (type === 'string') return readText(input.take(input.small(), end));
  if (type === 'hex') return toHex(input.take(input.small(), end));
  if (type === 'base64') return encodeBase64(input.take(input.small(), end));
  if (type === 'bool') return input.varint() !== 0n;
  if (type === 'uint32') return Number(BigInt.asUintN(32, input.varint()));
  if (type === 'enum') return Number(BigInt.asIntN(32, input.varint()));
  if (type === 'int64') return BigInt.asIntN(64, input.varint()).toString();
  if (type === 'fixed64') return input.view.getBigUint64(input.fixed(8, end), true).toString();
  if (type === 'fixed32') return input.view.getUint32(input.fixed(4, end), true);
  return input.view.getFloat64(input.fixed(8, end), true);
}

function readText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw broken('a text is not UTF-8');
  }
}

function skip(input: Input, wireType: number, end: number): void {
  if (wireType === 0) input.varint();
  else if (wireType === 1) input.fixed(8, end);
  else if (wireType === 2) input.take(input.small(), end);
  else if (wireType === 5) input.fixed(4, end);
  else throw broken('a field has a type that OTLP does not use');
}
