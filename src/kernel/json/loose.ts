/**
 * Reading JSON whose shape nobody has checked: bodies of other servers, files of other tools, stored documents of an
 * older form. Each function returns what is there, or an empty value; none throws.
 */
import { JsonNumber } from './value.ts';

export type LooseRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is LooseRecord {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}

export function asRecord(value: unknown): LooseRecord {
  return isRecord(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The items that are objects; the others are left out. */
export function asRecords(value: unknown): readonly LooseRecord[] {
  return asList(value).filter(isRecord);
}

/** The items that are strings; the others are left out. */
export function asStrings(value: unknown): readonly string[] {
  return asList(value).filter(isString);
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** A string with something in it besides white space. */
export function isNonBlank(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Undefined for the empty string, too. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  if (value instanceof JsonNumber) return value.toNumber();
  return typeof value === 'number' ? value : undefined;
}

/** The members that have a value: neither undefined nor null. */
export function present(members: LooseRecord): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** An own member, or undefined: a key called `constructor` must not find the prototype's. */
export function member<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
