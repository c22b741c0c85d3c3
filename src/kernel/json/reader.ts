import { jsonErrors } from './errors.ts';
import { toPlain } from './plain.ts';
import { JsonScanner, type MemberSpan } from './scanner.ts';
import { decodeUtf8, utf8Length } from './utf8.ts';
import type { Json } from './value.ts';

export interface ReadLimits {
  /** Nesting depth; 64 by default, never more than 500, so that no input can exhaust the stack. */
  readonly maxDepth?: number;
  readonly maxBytes?: number;
  /** Objects, lists, texts, numbers and words, each once. Reading and handling a text takes time for each, whatever its length. */
  readonly maxValues?: number;
  /** Accepts duplicate keys (the last wins) and lone surrogates, as Python does: only for hashing others' documents. */
  readonly lenient?: boolean;
}

export interface JsonDocument {
  readonly value: Json;
  /** The view that schemas see: every number a `number`. */
  readonly plain: unknown;
  readonly text: string;
  /** Where the members of the top-level object are in the text; empty for any other value. */
  readonly members: ReadonlyMap<string, MemberSpan>;
}

const DEFAULT_DEPTH = 64;
const DEEPEST = 500;

/** Strict RFC 8259. A fault carries its JSON pointer, and line, column (from 1) and offset (from 0) in UTF-16 units. */
export function readJson(source: string | Uint8Array, limits: ReadLimits = {}): Json {
  return scannerOf(source, limits).readAll();
}

/** The view that schemas see: what `toPlain` makes of the value, without a second look where no number needs it. */
export function readPlain(source: string | Uint8Array, limits: ReadLimits = {}): unknown {
  const scanner = scannerOf(source, limits);
  return plainOf(scanner.readAll(), scanner);
}

export function readDocument(text: string, limits: ReadLimits = {}): JsonDocument {
  const members = new Map<string, MemberSpan>();
  const scanner = scannerOf(text, limits, members);
  const value = scanner.readAll();
  return { value, plain: plainOf(value, scanner), text, members };
}

function plainOf(value: Json, { isPlain }: JsonScanner): unknown {
  return isPlain ? value : toPlain(value);
}

function scannerOf(
  source: string | Uint8Array,
  { maxBytes, maxDepth = DEFAULT_DEPTH, maxValues = Number.POSITIVE_INFINITY, lenient = false }: ReadLimits,
  members?: Map<string, MemberSpan>,
): JsonScanner {
  if (typeof source === 'string') checkSize(source, maxBytes);
  else if (maxBytes !== undefined && source.length > maxBytes) throw tooLarge(maxBytes);
  const text = typeof source === 'string' ? source : decodeUtf8(source);
  return new JsonScanner(text, { maxDepth: Math.min(maxDepth, DEEPEST), maxValues, lenient, members });
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
