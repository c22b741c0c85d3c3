/**
 * Recognises text that is its own Appendix B form, so that a verifier can hash the slice it was given instead of reading
 * and writing the value again. It never says yes wrongly; it may say no where it would be slow to find out.
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

/** The offset behind the canonical value that starts here, or -1. */
export function endOfCanonicalValue(text: string, start: number): number {
  return endOfValue(text, start, 0, true);
}

/** Compact, with every string and number in the form of Appendix B, but with members in any order. */
export function isCompactAppendixB(text: string): boolean {
  return endOfValue(text, 0, 0, false) === text.length;
}

function endOfValue(text: string, at: number, depth: number, sorted: boolean): number {
  switch (text.charCodeAt(at)) {
    case QUOTE:
      return endOfString(text, at, true);
    case 0x7b:
      return depth < DEEPEST ? endOfObject(text, at + 1, depth + 1, sorted) : NO;
    case 0x5b:
      return depth < DEEPEST ? endOfArray(text, at + 1, depth + 1, sorted) : NO;
    case 0x74:
      return text.startsWith('true', at) ? at + 4 : NO;
    case 0x66:
      return text.startsWith('false', at) ? at + 5 : NO;
    case 0x6e:
      return text.startsWith('null', at) ? at + 4 : NO;
    default:
      return endOfNumber(text, at);
  }
}

function endOfObject(text: string, start: number, depth: number, sorted: boolean): number {
  if (text.charCodeAt(start) === 0x7d) return start + 1;
  let at = start;
  let previousKey = NO;
  for (;;) {
    if (text.charCodeAt(at) !== QUOTE) return NO;
    const key = at + 1;
    at = endOfString(text, at, !sorted);
    if (at === NO || text.charCodeAt(at) !== COLON) return NO;
    if (sorted && previousKey !== NO && !isAscending(text, previousKey, key)) return NO;
    previousKey = key;
    at = endOfValue(text, at + 1, depth, sorted);
    if (at === NO) return NO;
    const code = text.charCodeAt(at);
    at += 1;
    if (code === 0x7d) return at;
    if (code !== COMMA) return NO;
  }
}

function endOfArray(text: string, start: number, depth: number, sorted: boolean): number {
  if (text.charCodeAt(start) === 0x5d) return start + 1;
  let at = start;
  for (;;) {
    at = endOfValue(text, at, depth, sorted);
    if (at === NO) return NO;
    const code = text.charCodeAt(at);
    at += 1;
    if (code === 0x5d) return at;
    if (code !== COMMA) return NO;
  }
}

/** Both keys are ASCII without escapes and closed by a quote. Equal keys do not ascend. */
function isAscending(text: string, first: number, second: number): boolean {
  for (let step = 0; ; step += 1) {
    const left = text.charCodeAt(first + step);
    const right = text.charCodeAt(second + step);
    if (right === QUOTE) return false;
    if (left === QUOTE) return true;
    if (left !== right) return left < right;
  }
}

function endOfString(text: string, start: number, escapes: boolean): number {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) {
      if (!escapes) return NO;
      at = endOfEscape(text, at);
      if (at === NO) return NO;
    } else if (code >= 0x20 && code <= 0x7e) {
      at += 1;
    } else {
      return NO;
    }
  }
}

function endOfEscape(text: string, start: number): number {
  if ('"\\bfnrt'.includes(text.charAt(start + 1))) return start + 1 < text.length ? start + 2 : NO;
  const unit = lowerHexUnit(text, start);
  if (unit === NO || (unit >= 0x20 && unit < 0x7f) || '\b\f\n\r\t'.includes(String.fromCharCode(unit)))
    return NO;
  if (unit < 0xd800 || unit > 0xdfff) return start + 6;
  const low = unit < 0xdc00 ? lowerHexUnit(text, start + 6) : NO;
  return low >= 0xdc00 && low <= 0xdfff ? start + 12 : NO;
}

function lowerHexUnit(text: string, escapeStart: number): number {
  if (text.charCodeAt(escapeStart) !== BACKSLASH || text.charCodeAt(escapeStart + 1) !== LOWER_U) return NO;
  const digits = text.slice(escapeStart + 2, escapeStart + 6);
  return /^[0-9a-f]{4}$/.test(digits) ? Number.parseInt(digits, 16) : NO;
}

function endOfNumber(text: string, start: number): number {
  const digits = text.charCodeAt(start) === MINUS ? start + 1 : start;
  const first = text.charCodeAt(digits);
  let at = digits;
  while (isDigit(text.charCodeAt(at))) at += 1;
  if (at === digits || (first === ZERO && at > digits + 1)) return NO;
  const code = text.charCodeAt(at);
  if (code !== 0x2e && code !== 0x65) return first === ZERO && digits > start ? NO : at;
  while (isFloatUnit(text.charCodeAt(at))) at += 1;
  const lexeme = text.slice(start, at);
  return pythonRepr(Number(lexeme)) === lexeme ? at : NO;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function isFloatUnit(code: number): boolean {
  return isDigit(code) || code === 0x2e || code === 0x65 || code === 0x2b || code === MINUS;
}
