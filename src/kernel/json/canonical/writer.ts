import { jsonErrors } from '../errors.ts';
import { jsonPointer } from '../pointer.ts';
import { type Json, JsonNumber } from '../value.ts';
import { compareCodePoints, sortByUnits } from './key-order.ts';

/** What tells the canonical profiles apart. */
export interface Dialect {
  readonly keyOrder: 'code-points' | 'units';
  /** Members that are null are left out; items of arrays never are. */
  readonly dropsNulls: boolean;
  /** Undefined where the string cannot be written. */
  quote(text: string): string | undefined;
  /** Undefined where the number cannot be written without loss. */
  number(value: number): string | undefined;
  lexeme(value: JsonNumber): string | undefined;
}

const DEEPEST = 1000;

export function createCanonicalWriter(dialect: Dialect): (value: Json) => string {
  const { dropsNulls, quote, number, lexeme } = dialect;
  const byCodePoints = dialect.keyOrder === 'code-points';
  const path: (string | number)[] = [];

  function write(value: Json | undefined): string {
    switch (typeof value) {
      case 'string':
        return quote(value) ?? fail('lone_surrogate');
      case 'number':
        return number(value) ?? fail('lossy_number');
      case 'boolean':
        return value ? 'true' : 'false';
      case 'object':
        break;
      default:
        return fail('not_json');
    }
    if (value === null) return 'null';
    if (value instanceof JsonNumber) return lexeme(value) ?? fail('lossy_number');
    if (path.length >= DEEPEST) return fail('too_deep');
    return Array.isArray(value) ? writeArray(value) : writeObject(value as Record<string, Json | undefined>);
  }

  function writeArray(items: readonly Json[]): string {
    if (items.length === 0) return '[]';
    const depth = path.length;
    path.push(0);
    let text = '[';
    for (let index = 0; index < items.length; index += 1) {
      path[depth] = index;
      text += index === 0 ? write(items[0]) : `,${write(items[index])}`;
    }
    path.pop();
    return `${text}]`;
  }

  function writeObject(object: Readonly<Record<string, Json | undefined>>): string {
    const keys = Object.keys(object);
    if (keys.length > 1) {
      if (byCodePoints && keys.some(hasHighUnit)) keys.sort(compareCodePoints);
      else sortByUnits(keys);
    }
    const depth = path.length;
    path.push('');
    let text = '{';
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] as string;
      const member = object[key];
      if (member === undefined || (member === null && dropsNulls)) continue;
      path[depth] = key;
      const name = quote(key) ?? fail('lone_surrogate');
      text += text.length === 1 ? `${name}:${write(member)}` : `,${name}:${write(member)}`;
    }
    path.pop();
    return `${text}}`;
  }

  function fail(code: 'lone_surrogate' | 'lossy_number' | 'not_json' | 'too_deep'): never {
    throw jsonErrors[code]({ pointer: jsonPointer(path) });
  }

  return (value) => {
    path.length = 0;
    return write(value);
  };
}

function hasHighUnit(key: string): boolean {
  for (let at = 0; at < key.length; at += 1) {
    if (key.charCodeAt(at) >= 0xd800) return true;
  }
  return false;
}
