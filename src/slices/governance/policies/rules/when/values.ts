/** How conditions compare values: numbers exactly, everything else as JSON. */
import { canonicalJcs } from '../../../../../kernel/json/canonical/jcs.ts';
import { type Json, JsonNumber } from '../../../../../kernel/json/value.ts';
import { compareDecimals, decimalOf } from '../decimal.ts';
import type { Outcome } from './outcome.ts';
import { plainText } from './plain-text.ts';

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

/**
 * Whether a value is the wanted one. Unclear where only its spelling or its kind differs, as in `"5"` for `5`, `["x"]` for
 * `"x"`, or a text with an invisible character: whoever acts on it may see no difference.
 */
export function equals(value: unknown, wanted: unknown): Outcome {
  if (same(value, wanted)) return true;
  if (value === undefined || value === null || wanted === undefined || wanted === null) return false;
  if (typeof value === 'string' && typeof wanted === 'string')
    return plainText(value) === plainText(wanted) ? 'unclear' : false;
  if (isNumber(value) && isNumber(wanted)) return decimalOf(value) && decimalOf(wanted) ? false : 'unclear';
  return kindOf(value) === kindOf(wanted) ? false : 'unclear';
}

function kindOf(value: unknown): string {
  const type = typeName(value);
  return type === 'integer' ? 'number' : type;
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
