import { WEIGHT_UNITS } from '../rules/analysis.ts';
import type { Posting } from './engine.ts';
import { VarintReader, VarintWriter } from './varint.ts';

/** Terms are numbers here: the words themselves are only in the dictionary and the document's text. */
export interface TermList {
  readonly passages: readonly PassageTerms[];
  /** Numbers of `name=value` pairs. */
  readonly attributes: readonly number[];
  /** Those terms that are stop words: scored like others, but posted only where they are strong. */
  readonly stops: readonly number[];
}

export interface PassageTerms {
  readonly weight: number;
  readonly length: number;
  readonly frequencies: ReadonlyMap<number, number>;
}

/**
 * Passages first, then each term with the passages that have it, in rising order and behind their length in bytes:
 * scoring steps over the terms that were not asked for.
 */
export function encodeTermList(list: TermList, uses: readonly TermUse[] = usesOf(list)): Uint8Array {
  const writer = new VarintWriter();
  writer.write(list.passages.length);
  for (const { weight, length } of list.passages) {
    writer.write(weight);
    writer.write(length);
  }
  writer.writeList(steps(list.attributes));
  writer.writeList(steps(list.stops));
  let previous = 0;
  for (const { term, places } of uses) {
    writer.write(term - previous);
    writer.writeList(places);
    previous = term;
  }
  return writer.finish();
}

export interface TermListVisitor {
  passage(weight: number, length: number): void;
  attribute(term: number): void;
  /** Left out by who needs no stop words. */
  readonly stop?: (term: number) => void;
  /** Whether the places of this term are wanted. */
  term(term: number): boolean;
  place(passage: number, frequency: number): void;
}

export function visitTermList(bytes: Uint8Array, visitor: TermListVisitor): void {
  const reader = new VarintReader(bytes);
  for (let left = reader.read(); left > 0; left -= 1) visitor.passage(reader.read(), reader.read());
  readRising(reader, (term) => visitor.attribute(term));
  if (visitor.stop === undefined) reader.skip(reader.read());
  else readRising(reader, visitor.stop);
  let term = 0;
  while (!reader.done) {
    term += reader.read();
    const length = reader.read();
    if (!visitor.term(term)) {
      reader.skip(length);
      continue;
    }
    let passage = 0;
    for (const end = reader.at + length; reader.at < end; ) {
      passage += reader.read();
      visitor.place(passage, reader.read());
    }
  }
}

export function decodeTermList(bytes: Uint8Array): TermList {
  const passages: { weight: number; length: number; frequencies: Map<number, number> }[] = [];
  const attributes: number[] = [];
  const stops: number[] = [];
  let current = 0;
  visitTermList(bytes, {
    passage: (weight, length) => passages.push({ weight, length, frequencies: new Map() }),
    attribute: (term) => attributes.push(term),
    stop: (term) => stops.push(term),
    term: (term) => {
      current = term;
      return true;
    },
    place: (passage, frequency) => passages[passage]?.frequencies.set(current, frequency),
  });
  return { passages, attributes, stops };
}

/** From each number to the next greater one, beginning at 0. */
function steps(numbers: readonly number[]): number[] {
  let previous = 0;
  return numbers.toSorted(byValue).map((number) => {
    const step = number - previous;
    previous = number;
    return step;
  });
}

function byValue(a: number, b: number): number {
  return a - b;
}

function readRising(reader: VarintReader, visit: (number: number) => void): void {
  const length = reader.read();
  let number = 0;
  for (const end = reader.at + length; reader.at < end; ) {
    number += reader.read();
    visit(number);
  }
}

/** What a document does with one term. */
export interface TermUse {
  readonly term: number;
  /** How often it occurs, by the weights of its passages. */
  readonly units: number;
  /** In turn the step to the next passage that has it, and how often that one does. */
  readonly places: readonly number[];
}

/** By rising term. Made once for all that is derived from a list. */
export function usesOf({ passages }: TermList): readonly TermUse[] {
  const uses = new Map<number, { term: number; units: number; last: number; places: number[] }>();
  for (let at = 0; at < passages.length; at += 1) {
    const { weight, frequencies } = passages[at] as PassageTerms;
    for (const [term, frequency] of frequencies) {
      const use = uses.get(term);
      if (use === undefined) {
        uses.set(term, { term, units: frequency * weight, last: at, places: [at, frequency] });
        continue;
      }
      use.units += frequency * weight;
      use.places.push(at - use.last, frequency);
      use.last = at;
    }
  }
  return [...uses.values()].sort((a, b) => a.term - b.term);
}

/** How often a document uses a term before it counts as being about it, and within how many terms. */
const STRONG_FREQUENCY = 2;
const STRONG_SPAN = 64;

/** What the engine's index holds of this list. A pure function of the list: it finds again what it once added. */
export function postingOf(doc: number, list: TermList, uses: readonly TermUse[] = usesOf(list)): Posting {
  let length = 0;
  for (const passage of list.passages) length += passage.weight * passage.length;
  const stops = new Set(list.stops);
  const terms: number[] = [];
  const strong: number[] = [];
  for (const { term, units } of uses) {
    if (!stops.has(term)) terms.push(term);
    if (units >= STRONG_FREQUENCY * WEIGHT_UNITS && units * STRONG_SPAN >= length) strong.push(term);
  }
  terms.push(...list.attributes);
  return { doc, terms: terms.sort(byValue), strong };
}

/** Everything that the dictionary counts this document for. */
export function countedTerms(list: TermList, uses: readonly TermUse[] = usesOf(list)): ReadonlySet<number> {
  const terms = new Set(list.attributes);
  for (const { term } of uses) terms.add(term);
  return terms;
}
