import type { BatonError } from '../../error.ts';
import { jsonErrors } from '../errors.ts';
import { jsonPointer } from '../pointer.ts';
import { type Json, JsonNumber } from '../value.ts';
import { DEEPEST, type Dialect } from './writer.ts';

/** Thrown inside a writer, which then locates the fault. */
export const REFUSED = Symbol('refused');

/** Walks a value that a writer refused to the first place that it cannot write. */
export function locateFault(value: Json, dialect: Dialect): BatonError {
  const path: (string | number)[] = [];

  function visit(part: Json | undefined): BatonError | undefined {
    if (typeof part === 'string')
      return dialect.quote(part) === undefined ? fault('lone_surrogate') : undefined;
    if (typeof part === 'number')
      return dialect.number(part) === undefined ? fault('lossy_number') : undefined;
    if (typeof part === 'boolean' || part === null) return undefined;
    if (typeof part !== 'object') return fault('not_json');
    if (part instanceof JsonNumber)
      return dialect.lexeme(part) === undefined ? fault('lossy_number') : undefined;
    if (path.length >= DEEPEST) return fault('too_deep');
    return visitParts(part as Readonly<Record<string, Json | undefined>>, Array.isArray(part));
  }

  function visitParts(
    parts: Readonly<Record<string, Json | undefined>>,
    isArray: boolean,
  ): BatonError | undefined {
    for (const key of Object.keys(parts)) {
      const part = parts[key];
      if (part === undefined && !isArray) continue;
      path.push(key);
      const found = (isArray ? undefined : visit(key)) ?? visit(part);
      if (found !== undefined) return found;
      path.pop();
    }
    return undefined;
  }

  function fault(code: 'lone_surrogate' | 'lossy_number' | 'not_json' | 'too_deep'): BatonError {
    return jsonErrors[code]({ pointer: jsonPointer(path) });
  }

  return visit(value) ?? fault('not_json');
}
