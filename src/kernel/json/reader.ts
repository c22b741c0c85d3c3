import { jsonErrors } from './errors.ts';
import { JsonScanner, type MemberSpan } from './scanner.ts';
import { decodeUtf8, utf8Length } from './utf8.ts';
import type { Json } from './value.ts';

export interface ReadLimits {
  /** Containers inside each other; 64 unless told, never more than 500, so that no input can exhaust the stack. */
  readonly maxDepth?: number;
  readonly maxBytes?: number;
  /** Takes duplicate keys (the last wins) and lone surrogates, as Python does: only for hashing what others wrote. */
  readonly lenient?: boolean;
}

export interface JsonDocument {
  readonly value: Json;
  readonly text: string;
  /** Where the members of the top-level object stand in the text; empty for any other value. */
  readonly members: ReadonlyMap<string, MemberSpan>;
}

const DEFAULT_DEPTH = 64;
const DEEPEST = 500;

/** Strict RFC 8259. A fault carries its JSON pointer, and line, column (from 1) and offset (from 0) in UTF-16 units. */
export function readJson(text: string, limits: ReadLimits = {}): Json {
  checkSize(text, limits.maxBytes);
  return scan(text, limits);
}

export function readJsonBytes(bytes: Uint8Array, limits: ReadLimits = {}): Json {
  if (limits.maxBytes !== undefined && bytes.length > limits.maxBytes) throw tooLarge(limits.maxBytes);
  return scan(decodeUtf8(bytes), limits);
}

function scan(text: string, limits: ReadLimits): Json {
  return new JsonScanner(text, { maxDepth: depthOf(limits), lenient: limits.lenient ?? false }).readAll();
}

export function readDocument(text: string, limits: ReadLimits = {}): JsonDocument {
  checkSize(text, limits.maxBytes);
  const members = new Map<string, MemberSpan>();
  const lenient = limits.lenient ?? false;
  const value = new JsonScanner(text, { maxDepth: depthOf(limits), lenient, members }).readAll();
  return { value, text, members };
}

function depthOf(limits: ReadLimits): number {
  return Math.min(limits.maxDepth ?? DEFAULT_DEPTH, DEEPEST);
}

function checkSize(text: string, maxBytes: number | undefined): void {
  if (maxBytes === undefined || text.length * 3 <= maxBytes) return;
  if (text.length > maxBytes || utf8Length(text) > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): Error {
  return jsonErrors.too_large({
    message: `The text is larger than ${maxBytes} bytes.`,
    details: { max_bytes: maxBytes },
  });
}
