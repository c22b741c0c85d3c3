import { type Json, JsonNumber } from './value.ts';

/** Compact JSON that keeps number lexemes, which `JSON.stringify` cannot. Members keep the order of the object. */
export function writeJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof JsonNumber) return value.lexeme;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  const object = value as Readonly<Record<string, Json | undefined>>;
  const members: string[] = [];
  for (const key of Object.keys(object)) {
    const member = object[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${writeJson(member)}`);
  }
  return `{${members.join(',')}}`;
}
