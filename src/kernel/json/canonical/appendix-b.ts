import { pythonRepr } from '../python-float.ts';
import type { JsonNumber } from '../value.ts';
import { createCanonicalWriter } from './writer.ts';

const PLAIN_ASCII = /^[ !#-[\]-~]*$/;
const BEYOND_ASCII = /[\u007f-\uffff]/;
const ALL_BEYOND_ASCII = /[\u007f-\uffff]/g;

/**
 * CRA Appendix B, of TRACE payloads: what Python's `json.dumps(value, sort_keys=True, separators=(',', ':'))` prints.
 * Throws `lossy_number` on what no double can hold.
 */
export const canonicalAppendixB = createCanonicalWriter({
  keyOrder: 'code-points',
  dropsNulls: false,
  quote: quoteAscii,
  number: pythonNumber,
  lexeme: pythonLexeme,
});

/** `JSON.stringify` escapes as Python does (half surrogate pairs too), except for what is beyond ASCII. */
function quoteAscii(text: string): string {
  if (PLAIN_ASCII.test(text)) return `"${text}"`;
  const quoted = JSON.stringify(text);
  return BEYOND_ASCII.test(quoted) ? quoted.replace(ALL_BEYOND_ASCII, escapeUnit) : quoted;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A plain number is taken as `JSON.stringify` would have written it: without an exponent up to 1e21. */
export function pythonNumber(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? String(value) : pythonRepr(value);
}

/** Integers keep their digits at any size; whatever has a point or an exponent is a float. */
export function pythonLexeme(number: JsonNumber): string | undefined {
  if (number.isInteger) return number.lexeme === '-0' ? '0' : number.lexeme;
  const value = number.toNumber();
  return Number.isFinite(value) ? pythonRepr(value) : undefined;
}
