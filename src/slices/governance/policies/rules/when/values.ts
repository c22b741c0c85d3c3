/** How conditions compare values: numbers exactly, everything else as JSON. */
import { canonicalJcs } from '../../../../../kernel/json/canonical/jcs.ts';
import { type Json, JsonNumber } from '../../../../../kernel/json/value.ts';
import { compareDecimals, decimalOf } from '../decimal.ts';

export const TYPE_NAMES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;

export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  if (isNumber(a) && isNumber(b)) {
    const left = decimalOf(a);
    const right = decimalOf(b);
    return left !== undefined && right !== undefined && compareDecimals(left, right) === 0;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return canonicalJcs(a as Json) === canonicalJcs(b as Json);
}

export function isNumber(value: unknown): boolean {
  return typeof value === 'number' || value instanceof JsonNumber;
}

export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) {
    const decimal = decimalOf(value);
    return decimal && decimal.digits % 10n ** BigInt(decimal.scale) === 0n ? 'integer' : 'number';
  }
  return typeof value;
}
