/** How RFC 8785 writes strings and numbers, which the agentic profile shares. */
import { isWellFormed } from '../utf8.ts';
import type { JsonNumber } from '../value.ts';

const ORDINARY = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Undefined if half a surrogate pair stands alone. */
export function quoteMinimally(text: string): string | undefined {
  if (ORDINARY.test(text)) return `"${text}"`;
  return isWellFormed(text) ? JSON.stringify(text) : undefined;
}

export function ecmascriptNumber(value: number): string | undefined {
  return Number.isFinite(value) ? String(value) : undefined;
}

/** Fractions are rounded to the nearest double, as every reader does; an integer must survive exactly. */
export function ecmascriptLexeme(number: JsonNumber): string | undefined {
  const value = number.toNumber();
  if (!Number.isFinite(value)) return undefined;
  if (number.isInteger && !Number.isSafeInteger(value) && BigInt(number.lexeme) !== BigInt(value)) {
    return undefined;
  }
  return String(value);
}
