import { BareObject } from './bare-object.ts';
import { jsonErrors } from './errors.ts';
import { jsonPointer } from './pointer.ts';
import { type Json, JsonNumber } from './value.ts';

const DEEPEST = 1000;

/** The view that schemas see: every number is a `number`. Returns the same object if nothing has to change. */
export function toPlain(value: Json): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof JsonNumber) return value.toNumber();
  if (Array.isArray(value)) return mapItems(value, toPlain);
  return mapMembers(value as Readonly<Record<string, Json>>, toPlain);
}

/**
 * Converts a program's value: members that are `undefined` are left out, a bigint becomes an integer of any size. Returns
 * the same object if nothing has to change; throws `not_json` for anything JSON cannot represent.
 */
export function fromPlain(value: unknown): Json {
  return convert(value, []);
}

function convert(value: unknown, path: (string | number)[]): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw notJson(path, `${value} is no JSON number.`);
      return value;
    case 'bigint': {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : new JsonNumber(value.toString());
    }
    case 'object':
      break;
    default:
      throw notJson(path, `A value of type ${typeof value} is no JSON value.`);
  }
  if (value === null || value instanceof JsonNumber) return value;
  if (path.length >= DEEPEST) throw notJson([], 'The value is nested too deeply, or holds itself.');
  const step = (item: unknown, key: string | number): Json => {
    path.push(key);
    const converted = convert(item, path);
    path.pop();
    return converted;
  };
  if (Array.isArray(value)) return mapItems(value, step) as readonly Json[];
  if (!hasNoClass(value)) throw notJson(path, `An object of class ${className(value)} is no JSON value.`);
  return mapMembers(value, (item, key) => (item === undefined ? undefined : step(item, key))) as Json;
}

function mapItems<T>(items: readonly T[], change: (item: T, index: number) => unknown): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index] as T;
    const after = change(item, index);
    if (changed !== undefined) changed.push(after);
    else if (after !== item || item === undefined) changed = [...items.slice(0, index), after];
  }
  return changed ?? items;
}

/** A member that becomes `undefined` is left out. */
function mapMembers<T>(
  record: Readonly<Record<string, T>>,
  change: (item: T, key: string) => unknown,
): Readonly<Record<string, unknown>> {
  const keys = Object.keys(record);
  let changed: Record<string, unknown> | undefined;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    const item = record[key] as T;
    const after = change(item, key);
    if (changed === undefined && (after !== item || item === undefined)) {
      changed = new BareObject();
      for (const earlier of keys.slice(0, index)) changed[earlier] = record[earlier];
    }
    if (changed !== undefined && after !== undefined) changed[key] = after;
  }
  return changed ?? record;
}

/** A literal, or an object that inherits nothing; not a Date, a Map or an instance of any other class. */
function hasNoClass(value: object): value is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || prototype.constructor === undefined;
}

function className(value: object): string {
  return Object.getPrototypeOf(value)?.constructor?.name ?? 'unknown';
}

function notJson(path: readonly (string | number)[], message: string): Error {
  return jsonErrors.not_json({ message, pointer: jsonPointer(path) });
}
