import { pythonRepr } from '../python-float.ts';
import type { JsonNumber } from '../value.ts';

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
