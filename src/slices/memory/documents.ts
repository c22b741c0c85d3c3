/** Reading and changing documents that are kept as they were written, unknown members included. */
import { isJsonObject, type Json, JsonNumber, type JsonObject } from '../../kernel/json/value.ts';

export function textMember(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberMember(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  if (value instanceof JsonNumber) return value.toNumber();
  return typeof value === 'number' ? value : undefined;
}

export function objectMember(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

export function textsMember(object: JsonObject, name: string): readonly string[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

/** The same document with these members set, or taken out where undefined; the others stay where they are. */
export function withMembers(
  object: JsonObject,
  changes: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  const entries = Object.entries(object).filter(([key]) => !(key in changes && changes[key] === undefined));
  const changed = entries.map(([key, value]): [string, Json] => [
    key,
    key in changes ? (changes[key] as Json) : value,
  ]);
  for (const [key, value] of Object.entries(changes)) {
    if (value !== undefined && !Object.hasOwn(object, key)) changed.push([key, value]);
  }
  return Object.fromEntries(changed);
}

export function withMetadata(
  memory: JsonObject,
  changes: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  const metadata = withMembers(objectMember(memory, 'metadata'), changes);
  return withMembers(memory, { metadata: Object.keys(metadata).length === 0 ? undefined : metadata });
}
