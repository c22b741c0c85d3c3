import { WEIGHT_UNITS } from '../rules/analysis.ts';
import type { TextCounts } from '../rules/text-counts.ts';
import { type TermListVisitor, visitTermList } from './term-list.ts';

/** One term of the query: its numbers (one in each space searched), and what a match is worth. */
export interface QueryTerm {
  readonly term: string;
  readonly numbers: readonly number[];
  /** How many of the searched documents contain it. */
  readonly documents: number;
  readonly worth: number;
}

/** In place of a slot: counted, not scored. */
const OWN = -1;

/** Counts a query's terms in stored term lists; created once for all candidates. */
export class TermCounter implements TermListVisitor {
  readonly #slots: ReadonlyMap<number, number>;
  readonly #width: number;
  readonly #attributes = new Set<number>();
  #weights: number[] = [];
  #lengths: number[] = [];
  #ownWords: number[] = [];
  #frequencies = new Float64Array(0);
  #slot = 0;

  /** `own` are the numbers of words by which speakers speak of themselves. */
  constructor(terms: readonly QueryTerm[], own: readonly number[]) {
    this.#slots = new Map([
      ...own.map((number) => [number, OWN] as const),
      ...terms.flatMap(({ numbers }, slot) => numbers.map((number) => [number, slot] as const)),
    ]);
    this.#width = terms.length;
  }

  /** Undefined if the document lacks every value of one of the required attributes. */
  count(list: Uint8Array, required: readonly (readonly number[])[] = []): TextCounts | undefined {
    this.#weights = [];
    this.#lengths = [];
    this.#ownWords = [];
    this.#frequencies = new Float64Array(0);
    this.#attributes.clear();
    visitTermList(list, this);
    if (!required.every((values) => values.some((value) => this.#attributes.has(value)))) return undefined;
    return {
      weights: this.#weights,
      lengths: this.#lengths,
      ownWords: this.#ownWords,
      // Without any of the terms, nothing made room for them.
      frequencies: this.#room(),
    };
  }

  passage(weight: number, length: number): void {
    this.#weights.push(weight / WEIGHT_UNITS);
    this.#lengths.push(length);
    this.#ownWords.push(0);
  }

  attribute(term: number): void {
    this.#attributes.add(term);
  }

  term(term: number): boolean {
    const slot = this.#slots.get(term);
    if (slot === undefined) return false;
    this.#slot = slot;
    return true;
  }

  place(passage: number, frequency: number): void {
    if (this.#slot === OWN) {
      this.#ownWords[passage] = (this.#ownWords[passage] ?? 0) + frequency;
      return;
    }
    this.#room()[passage * this.#width + this.#slot] = frequency * (this.#weights[passage] ?? 1);
  }

  /** All passages come before the first term. */
  #room(): Float64Array {
    const size = this.#weights.length * this.#width;
    if (this.#frequencies.length !== size) this.#frequencies = new Float64Array(size);
    return this.#frequencies;
  }
}
