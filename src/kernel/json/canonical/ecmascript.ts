/** How RFC 8785 writes strings and numbers, which the agentic profile shares. */
import type { JsonNumber } from '../value.ts';

const ORDINARY = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const SHORT = 32;

export function quoteMinimally(text: string): string | undefined {
  if (isOrdinary(text)) return `"${text}"`;
  return LONE_SURROGATE.test(text) ? undefined : JSON.stringify(text);
}

function isOrdinary(text: string): boolean {
  if (text.length > SHORT) return ORDINARY.test(text);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return false;
  }
  return true;
}

export function ecmascriptNumber(value: number): string | undefined {
  return Number.isFinite(value) ? String(value) : undefined;
}

/** Fractions are rounded to the nearest double, as every reader does; an integer must survive exactly. */
export function ecmascriptLexeme(number: JsonNumber): string | undefined {
  const value = number.toNumber();
  if (!Number.isFinite(value)) return undefined;
  if (number.isInteger && !Number.isSafeInteger(value) && BigInt(number.lexeme) !== BigInt(value))
    return undefined;
  return String(value);
}
