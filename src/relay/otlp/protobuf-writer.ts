import { decodeBase64 } from '../../kernel/base64.ts';
import { fromHex } from '../../kernel/hex.ts';
import type { Field, Message, Scalar } from './fields.ts';

const encoder = new TextEncoder();
const WIRE_TYPES: Readonly<Record<Scalar, number>> = {
  uint32: 0,
  int64: 0,
  bool: 0,
  enum: 0,
  fixed64: 1,
  double: 1,
  string: 2,
  hex: 2,
  base64: 2,
  fixed32: 5,
};

/** Bytes of a message given in OTLP's JSON spelling. Defaults are left out, as proto3 does. */
export function encodeMessage(message: Message, value: object): Uint8Array {
  const out = new Output();
  writeMessage(out, message, value as Record<string, unknown>);
  return out.taken();
}

class Output {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  taken(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  varint64(value: bigint): void {
    this.#reserve(10);
    let rest = BigInt.asUintN(64, value);
    while (rest > 127n) {
      this.#bytes[this.#length++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  fixed32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  fixed64(value: bigint): void {
    this.#reserve(8);
    this.#view.setBigUint64(this.#length, BigInt.asUintN(64, value), true);
    this.#length += 8;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  bytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes what `write` writes with its length before it. */
  framed(write: () => void): void {
    const start = this.#length;
    write();
    const size = this.#length - start;
    let prefix = 1;
    for (let rest = size; rest > 127; rest = Math.floor(rest / 128)) prefix += 1;
    this.#reserve(prefix);
    this.#bytes.copyWithin(start + prefix, start, start + size);
    this.#length = start;
    this.varint(size);
    this.#length = start + prefix + size;
  }
}

function writeMessage(out: Output, message: Message, value: Record<string, unknown>): void {
  for (const [number, field] of Object.entries(message) as unknown as [string, Field][]) {
    const member = value[field.name];
    if (member === undefined || member === null) continue;
    const items = field.repeated ? (member as unknown[]) : [member];
    for (const item of items) writeField(out, Number(number), field, item);
  }
}

function writeField(out: Output, number: number, field: Field, value: unknown): void {
  const { type } = field;
  if (typeof type === 'function') {
    out.varint((number << 3) | 2);
    out.framed(() => writeMessage(out, type(), value as Record<string, unknown>));
    return;
  }
  const kept = field.repeated || field.oneof || !isDefault(type, value);
  if (!kept) return;
  out.varint((number << 3) | WIRE_TYPES[type]);
  writeScalar(out, type, value);
}

function isDefault(type: Scalar, value: unknown): boolean {
  if (type === 'string' || type === 'hex' || type === 'base64') return value === '';
  return type === 'bool' ? value === false : Number(value) === 0;
}

function writeScalar(out: Output, type: Scalar, value: unknown): void {
  if (type === 'string') out.bytes(encoder.encode(String(value)));
  else if (type === 'hex') out.bytes(fromHex(String(value)) ?? new Uint8Array());
  else if (type === 'base64') out.bytes(decodeBase64(String(value)) ?? new Uint8Array());
  else if (type === 'bool') out.varint(value ? 1 : 0);
  else if (type === 'uint32') out.varint(Number(value) >>> 0);
  else if (type === 'enum') out.varint64(BigInt(Number(value)));
  else if (type === 'int64') out.varint64(BigInt(value as string));
  else if (type === 'fixed64') out.fixed64(BigInt(value as string));
  else if (type === 'fixed32') out.fixed32(Number(value) >>> 0);
  else out.double(Number(value));
}
