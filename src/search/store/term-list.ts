import { WEIGHT_UNITS } from '../rules/analysis.ts';
import type { Posting } from './engine.ts';
import { VarintReader, VarintWriter } from './varint.ts';

/** Terms are numbers here: the words themselves stand only in the dictionary and in the document's text. */
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
export function encodeTermList(list: TermList): Uint8Array {
  const writer = new VarintWriter();
  writer.write(list.passages.length);
  for (const { weight, length } of list.passages) {
    writer.write(weight);
    writer.write(length);
  }
  writer.append(rising(list.attributes));
  writer.append(rising(list.stops));
  let previous = 0;
  for (const [term, places] of byTerm(list.passages)) {
    const placed = new VarintWriter(places.length * 4);
    let last = 0;
    for (const [passage, frequency] of places) {
      placed.write(passage - last);
      placed.write(frequency);
      last = passage;
    }
    writer.write(term - previous);
    writer.append(placed.finish());
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

function rising(numbers: readonly number[]): Uint8Array {
  const writer = new VarintWriter(numbers.length * 4);
  let previous = 0;
  for (const number of [...numbers].sort((a, b) => a - b)) {
    writer.write(number - previous);
    previous = number;
  }
  return writer.finish();
}

function readRising(reader: VarintReader, visit: (number: number) => void): void {
  const length = reader.read();
  let number = 0;
  for (const end = reader.at + length; reader.at < end; ) {
    number += reader.read();
    visit(number);
  }
}

function byTerm(passages: readonly PassageTerms[]): [number, [number, number][]][] {
  const places = new Map<number, [number, number][]>();
  for (const [passage, { frequencies }] of passages.entries()) {
    for (const [term, frequency] of frequencies) {
      const list = places.get(term);
      if (list === undefined) places.set(term, [[passage, frequency]]);
      else list.push([passage, frequency]);
    }
  }
  return [...places].sort(([a], [b]) => a - b);
}

/** How often a document uses a term before it counts as being about it, and within how many terms. */
const STRONG_FREQUENCY = 2;
const STRONG_SPAN = 64;

/** What the engine's index holds of this list. A pure function of the list: it finds again what it once added. */
export function postingOf(doc: number, list: TermList): Posting {
  const frequencies = new Map<number, number>();
  let length = 0;
  for (const passage of list.passages) {
    length += passage.weight * passage.length;
    for (const [term, frequency] of passage.frequencies) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + frequency * passage.weight);
    }
  }
  const strong = [...frequencies].filter(
    ([, units]) => units >= STRONG_FREQUENCY * WEIGHT_UNITS && units * STRONG_SPAN >= length,
  );
  const stops = new Set(list.stops);
  const posted = [...frequencies.keys()].filter((term) => !stops.has(term));
  return {
    doc,
    terms: [...posted, ...list.attributes].sort((a, b) => a - b),
    strong: strong.map(([term]) => term).sort((a, b) => a - b),
  };
}

/** Everything that the dictionary counts this document for. */
export function countedTerms(list: TermList): ReadonlySet<number> {
  const terms = new Set(list.attributes);
  for (const { frequencies } of list.passages) for (const term of frequencies.keys()) terms.add(term);
  return terms;
}
