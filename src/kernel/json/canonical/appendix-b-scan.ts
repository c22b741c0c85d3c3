/**
 * Recognises text that is its own Appendix B form, so that a verifier can hash the bytes it was given instead of reading
 * and writing the value again. It never says yes wrongly; it may say no where it would be slow to find out. It reads
 * bytes because indexing them is several times as fast as indexing a string.
 */
import { pythonRepr } from '../python-float.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const DEEPEST = 64;
const NO = -1;

const WORDS = { true: wordBytes('true'), false: wordBytes('false'), null: wordBytes('null') };

/** `"`, `\`, `b`, `f`, `n`, `r`, `t` */
const SHORT_ESCAPES: ReadonlySet<number> = new Set(wordBytes('"\\bfnrt'));
const HAVE_SHORT_ESCAPES: ReadonlySet<number> = new Set(wordBytes('\b\f\n\r\t'));

/** Bytes that need no escape in a canonical string. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, code) =>
  code >= 0x20 && code <= 0x7e && code !== QUOTE && code !== BACKSLASH ? 1 : 0,
);

/** The offset after the canonical value that starts here, or -1. At least one byte must follow the value. */
export function endOfCanonicalValue(bytes: Uint8Array, start: number): number {
  return endOfValue(bytes, start, 0, true);
}

/** Compact, with every string and number in the form of Appendix B, but with members in any order. */
export function isCompactAppendixB(text: string): boolean {
  const bytes = new TextEncoder().encode(text);
  return endOfValue(bytes, 0, 0, false) === bytes.length;
}

function endOfValue(bytes: Uint8Array, at: number, depth: number, sorted: boolean): number {
  switch (bytes[at]) {
    case QUOTE:
      return endOfString(bytes, at, true);
    case 0x7b:
      return depth < DEEPEST ? endOfObject(bytes, at + 1, depth + 1, sorted) : NO;
    case 0x5b:
      return depth < DEEPEST ? endOfArray(bytes, at + 1, depth + 1, sorted) : NO;
    case 0x74:
      return endOfWord(bytes, at, WORDS.true);
    case 0x66:
      return endOfWord(bytes, at, WORDS.false);
    case 0x6e:
      return endOfWord(bytes, at, WORDS.null);
    default:
      return endOfNumber(bytes, at);
  }
}

function endOfObject(bytes: Uint8Array, start: number, depth: number, sorted: boolean): number {
  if (bytes[start] === 0x7d) return start + 1;
  let at = start;
  let previousKey = NO;
  for (;;) {
    if (bytes[at] !== QUOTE) return NO;
    const key = at + 1;
    at = endOfString(bytes, at, !sorted);
    if (at === NO || bytes[at] !== COLON) return NO;
    if (sorted && previousKey !== NO && !isAscending(bytes, previousKey, key)) return NO;
    previousKey = key;
    at = endOfValue(bytes, at + 1, depth, sorted);
    if (at === NO) return NO;
    const code = bytes[at];
    at += 1;
    if (code === 0x7d) return at;
    if (code !== COMMA) return NO;
  }
}

function endOfArray(bytes: Uint8Array, start: number, depth: number, sorted: boolean): number {
  if (bytes[start] === 0x5d) return start + 1;
  let at = start;
  for (;;) {
    at = endOfValue(bytes, at, depth, sorted);
    if (at === NO) return NO;
    const code = bytes[at];
    at += 1;
    if (code === 0x5d) return at;
    if (code !== COMMA) return NO;
  }
}

/** Both keys are ASCII without escapes and closed by a quote. Equal keys do not ascend. */
function isAscending(bytes: Uint8Array, first: number, second: number): boolean {
  for (let step = 0; ; step += 1) {
    const left = bytes[first + step] as number;
    const right = bytes[second + step] as number;
    if (right === QUOTE) return false;
    if (left === QUOTE) return true;
    if (left !== right) return left < right;
  }
}

function endOfString(bytes: Uint8Array, start: number, escapes: boolean): number {
  let at = start + 1;
  for (;;) {
    while (PLAIN[bytes[at] as number] === 1) at += 1;
    const code = bytes[at];
    if (code === QUOTE) {
      return at + 1;
    } else if (code === BACKSLASH && escapes) {
      at = endOfEscape(bytes, at);
      if (at === NO) return NO;
    } else {
      return NO;
    }
  }
}

function endOfEscape(bytes: Uint8Array, start: number): number {
  if (SHORT_ESCAPES.has(bytes[start + 1] ?? 0)) return start + 2;
  const unit = lowerHexUnit(bytes, start);
  if (unit === NO || (unit >= 0x20 && unit < 0x7f) || HAVE_SHORT_ESCAPES.has(unit)) return NO;
  if (unit < 0xd800 || unit > 0xdfff) return start + 6;
  const low = unit < 0xdc00 ? lowerHexUnit(bytes, start + 6) : NO;
  return low >= 0xdc00 && low <= 0xdfff ? start + 12 : NO;
}

function lowerHexUnit(bytes: Uint8Array, escapeStart: number): number {
  if (bytes[escapeStart] !== BACKSLASH || bytes[escapeStart + 1] !== LOWER_U) return NO;
  const digits = textOf(bytes, escapeStart + 2, escapeStart + 6);
  return /^[0-9a-f]{4}$/.test(digits) ? Number.parseInt(digits, 16) : NO;
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  const digits = bytes[start] === MINUS ? start + 1 : start;
  const first = bytes[digits];
  let at = digits;
  while (isDigit(bytes[at])) at += 1;
  if (at === digits || (first === ZERO && at > digits + 1)) return NO;
  if (bytes[at] !== 0x2e && bytes[at] !== 0x65) return first === ZERO && digits > start ? NO : at;
  while (isFloatByte(bytes[at])) at += 1;
  const lexeme = textOf(bytes, start, at);
  return pythonRepr(Number(lexeme)) === lexeme ? at : NO;
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= ZERO && code <= NINE;
}

function isFloatByte(code: number | undefined): boolean {
  return isDigit(code) || code === 0x2e || code === 0x65 || code === 0x2b || code === MINUS;
}

function endOfWord(bytes: Uint8Array, at: number, word: readonly number[]): number {
  return word.every((code, step) => bytes[at + step] === code) ? at + word.length : NO;
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

function wordBytes(word: string): number[] {
  return Array.from(word, (letter) => letter.charCodeAt(0));
}
