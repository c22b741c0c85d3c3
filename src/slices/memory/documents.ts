/** Changing documents that are stored as they were written, unknown members included. */
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json/value.ts';
import { memoryErrors } from './errors.ts';

type Changes = Readonly<Record<string, Json | undefined>>;

/** An empty object where the member is missing or something else. */
export function objectMember(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

/** The same document with these members set, or removed where undefined; the others keep their place. */
export function withMembers(object: JsonObject, changes: Changes): JsonObject {
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

export function withMetadata(memory: JsonObject, changes: Changes): JsonObject {
  const metadata = withMembers(objectMember(memory, 'metadata'), changes);
  return withMembers(memory, { metadata: Object.keys(metadata).length === 0 ? undefined : metadata });
}

export function requireObject(value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) throw memoryErrors.A2P006({ message: 'This must be an object.', pointer: '' });
  return value;
}
