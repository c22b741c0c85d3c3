import { isJsonObject, type Json, JsonNumber } from './value.ts';

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

const ITEMS_BETWEEN_TURNS = 50;

/** The same of a document with long lists: lets others have a turn between the items. */
export async function writeLargeJson(value: Json, giveTurn: () => Promise<void>): Promise<string> {
  if (Array.isArray(value)) {
    const items: string[] = [];
    for (const item of value) {
      items.push(writeJson(item));
      if (items.length % ITEMS_BETWEEN_TURNS === 0) await giveTurn();
    }
    return `[${items.join(',')}]`;
  }
  if (!isJsonObject(value)) return writeJson(value);
  const members: string[] = [];
  for (const [key, member] of Object.entries(value))
    members.push(`${JSON.stringify(key)}:${await writeLargeJson(member as Json, giveTurn)}`);
  return `{${members.join(',')}}`;
}
