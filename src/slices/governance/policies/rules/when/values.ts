/** How conditions compare values: numbers exactly, everything else member by member. */
import { isRecord } from '../../../../../kernel/json/loose.ts';
import { JsonNumber } from '../../../../../kernel/json/value.ts';
import { compareDecimals, decimalOf } from '../decimal.ts';
import { every, type Outcome } from './outcome.ts';
import { plainText } from './plain-text.ts';

export const TYPE_NAMES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;

/** Exactly the same, whatever spelling numbers have. */
export function same(a: unknown, b: unknown): boolean {
  return equals(a, b) === true;
}

/**
 * Whether a value is the wanted one. Unclear where only its spelling or its kind differs, as in `"5"` for `5`, `["x"]` for
 * `"x"`, or a text with an invisible character, at any depth: whoever acts on it may see no difference.
 */
export function equals(value: unknown, wanted: unknown): Outcome {
  if (value === wanted) return value !== undefined;
  if (value === undefined || value === null || wanted === undefined || wanted === null) return false;
  if (typeof value === 'string' && typeof wanted === 'string')
    return plainText(value) === plainText(wanted) ? 'unclear' : false;
  if (isNumber(value) && isNumber(wanted)) {
    const [left, right] = [decimalOf(value), decimalOf(wanted)];
    return left && right ? compareDecimals(left, right) === 0 : 'unclear';
  }
  if (kindOf(value) !== kindOf(wanted)) return 'unclear';
  if (Array.isArray(value) && Array.isArray(wanted)) {
    if (value.length !== wanted.length) return false;
    return every([...value.keys()], (at) => equals(value[at], wanted[at]));
  }
  return isRecord(value) && isRecord(wanted) ? equalMembers(value, wanted) : false;
}

type Members = Readonly<Record<string, unknown>>;

function equalMembers(value: Members, wanted: Members): Outcome {
  const names = Object.keys(wanted);
  if (Object.keys(value).length !== names.length) return false;
  if (names.every((name) => Object.hasOwn(value, name)))
    return every(names, (name) => equals(value[name], wanted[name]));
  const looks = (members: Members) => Object.keys(members).map(plainText).sort().join('\n');
  return looks(value) === looks(wanted) ? 'unclear' : false;
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
