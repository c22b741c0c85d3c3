/**
 * A long case in parts: `BATON_BENCH_PART=2/4` does every fourth question from the second on, keeps what came out, and
 * reports over the parts that are there. Without it the whole is done at once.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Part {
  readonly at: number;
  readonly of: number;
}

export function partAsked(text = process.env.BATON_BENCH_PART): Part {
  if (text === undefined || text === '') return { at: 1, of: 1 };
  const [, at, of] = /^(\d{1,2})\/(\d{1,2})$/.exec(text)?.map(Number) ?? [];
  if (at === undefined || of === undefined || at < 1 || at > of) {
    throw new Error(`BATON_BENCH_PART is ${text}; it must be such as 2/4.`);
  }
  return { at, of };
}

export function inPart<T>(items: readonly T[], { at, of }: Part): T[] {
  return items.filter((_, index) => index % of === at - 1);
}

export interface KeptParts<T> {
  /** Of the parts that are there, this one included, in their order. */
  readonly parts: readonly T[];
  readonly missing: readonly number[];
}

/**
 * Keeps one part beside the others, and reads those that the same code made: figures of two rankings are never mixed.
 * `code` is the file that ran.
 */
export function keepPart<T>(folder: string, code: string, { at, of }: Part, result: T): KeptParts<T> {
  const digest = createHash('sha256').update(readFileSync(code)).digest('hex').slice(0, 12);
  mkdirSync(folder, { recursive: true });
  const nameOf = (number: number) => `${digest}-${number}-of-${of}.json`;
  writeFileSync(join(folder, nameOf(at)), JSON.stringify(result));
  const there = new Set(readdirSync(folder));
  const numbers = Array.from({ length: of }, (_, index) => index + 1);
  return {
    parts: numbers
      .filter((number) => there.has(nameOf(number)))
      .map((number) => JSON.parse(readFileSync(join(folder, nameOf(number)), 'utf8')) as T),
    missing: numbers.filter((number) => !there.has(nameOf(number))),
  };
}
