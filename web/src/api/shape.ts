/**
 * Reads of documents that somebody else wrote: a policy, a row of a repository's file, a memory. Their schema says only
 * that they are objects, so a page may rely on nothing in them. Each of these is total: what is absent, or of another
 * type, becomes an empty text, an empty list or `undefined`, and never an error while a page is drawn.
 */
export type Read<Value> = (given: unknown) => Value;

type Fields = Readonly<Record<string, Read<unknown>>>;
type Shape<Of extends Fields> = { readonly [Name in keyof Of]: ReturnType<Of[Name]> };

export const text: Read<string> = (given) =>
  typeof given === 'string' ? given : typeof given === 'number' ? String(given) : '';

export const maybeText: Read<string | undefined> = (given) =>
  typeof given === 'string' && given !== '' ? given : undefined;

export const number: Read<number> = (given) =>
  typeof given === 'number' && Number.isFinite(given) ? given : 0;

export const maybeNumber: Read<number | undefined> = (given) =>
  typeof given === 'number' && Number.isFinite(given) ? given : undefined;

export const flag: Read<boolean> = (given) => given === true;

export const record: Read<Readonly<Record<string, unknown>>> = (given) =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? (given as Record<string, unknown>)
    : {};

export function list<Value>(read: Read<Value>): Read<readonly Value[]> {
  return (given) => (Array.isArray(given) ? given.map(read) : []);
}

/** Only the texts of a list; anything else in it says nothing that a page could show. */
export const texts: Read<readonly string[]> = (given) =>
  Array.isArray(given) ? given.filter((each) => typeof each === 'string') : [];

export function maybe<Value>(read: Read<Value>): Read<Value | undefined> {
  return (given) => (given === undefined || given === null ? undefined : read(given));
}

export function shape<Of extends Fields>(fields: Of): Read<Shape<Of>> {
  const names = Object.keys(fields) as (keyof Of & string)[];
  return (given) => {
    const members = record(given);
    return Object.fromEntries(names.map((name) => [name, fields[name]?.(members[name])])) as Shape<Of>;
  };
}
