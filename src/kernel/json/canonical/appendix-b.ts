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

/**
 * The same, apart from a fraction with more digits than a double holds: `9007199254740993.0` and `9007199254740992.0` are one
 * float, and two amounts to whoever reads decimals. For comparing what was approved with what is to run.
 */
export const exactAppendixB = createCanonicalWriter({
  keyOrder: 'code-points',
  dropsNulls: false,
  quote: quoteAscii,
  number: pythonNumber,
  lexeme(number) {
    const python = pythonLexeme(number);
    return python === undefined || isSameDecimal(number.lexeme, python) ? python : number.lexeme;
  },
});

const DECIMAL = /^-?(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Whether two numbers of one sign are the same to the last digit, however they are written. */
function isSameDecimal(one: string, other: string): boolean {
  const [first, second] = [decimalOf(one), decimalOf(other)];
  return first.digits === second.digits && (first.digits === '' || first.exponent === second.exponent);
}

/** Its digits without the zeros around them, and the power of ten of the last one. */
function decimalOf(text: string): { readonly digits: string; readonly exponent: number } {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  let end = all.length;
  while (end > 0 && all[end - 1] === '0') end -= 1;
  return {
    digits: all.slice(0, end),
    exponent: Number(exponent) - fraction.length + (all.length - end),
  };
}

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
