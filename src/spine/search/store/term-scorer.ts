import { WEIGHT_UNITS } from '../rules/analysis.ts';
import { saturation } from '../rules/bm25.ts';
import { type TermListVisitor, visitTermList } from './term-list.ts';

export interface TermScore {
  readonly document: number;
  readonly passage: number;
  /** Index of the best passage; 0 when no term was found. */
  readonly passageAt: number;
}

/** One term of the query: its numbers (one in each space searched), and what a match is worth. */
export interface QueryTerm {
  readonly term: string;
  readonly numbers: readonly number[];
  /** How many of the searched documents contain it. */
  readonly documents: number;
  readonly worth: number;
}

export interface AverageLengths {
  readonly document: number;
  readonly passage: number;
}

/** Scores stored term lists against one query; created once per search and used for every candidate. */
export class TermScorer implements TermListVisitor {
  readonly #terms: readonly QueryTerm[];
  readonly #slots: ReadonlyMap<number, number>;
  readonly #averages: AverageLengths;
  readonly #weights: number[] = [];
  readonly #lengths: number[] = [];
  readonly #attributes = new Set<number>();
  #frequencies = new Float64Array(0);
  #slot = 0;

  constructor(terms: readonly QueryTerm[], averages: AverageLengths) {
    this.#terms = terms;
    this.#slots = new Map(terms.flatMap(({ numbers }, slot) => numbers.map((number) => [number, slot])));
    this.#averages = averages;
  }

  /** Undefined if the document lacks every value of one of the required attributes. */
  score(list: Uint8Array, required: readonly (readonly number[])[] = []): TermScore | undefined {
    this.#weights.length = 0;
    this.#lengths.length = 0;
    this.#attributes.clear();
    this.#frequencies.fill(0);
    visitTermList(list, this);
    const fits = required.every((values) => values.some((value) => this.#attributes.has(value)));
    return fits ? { document: this.#scoreDocument(), ...this.#scoreBestPassage() } : undefined;
  }

  passage(weight: number, length: number): void {
    this.#weights.push(weight / WEIGHT_UNITS);
    this.#lengths.push(length);
    const size = this.#weights.length * this.#terms.length;
    if (size <= this.#frequencies.length) return;
    // Nothing is counted yet: all passages come before the first term.
    this.#frequencies = new Float64Array(size * 2);
  }

  attribute(term: number): void {
    this.#attributes.add(term);
  }

  term(term: number): boolean {
    const slot = this.#slots.get(term);
    this.#slot = slot ?? 0;
    return slot !== undefined;
  }

  place(passage: number, frequency: number): void {
    this.#frequencies[passage * this.#terms.length + this.#slot] = frequency * (this.#weights[passage] ?? 1);
  }

  #scoreDocument(): number {
    let length = 0;
    for (const [at, weight] of this.#weights.entries()) length += weight * (this.#lengths[at] as number);
    let sum = 0;
    for (const [slot, { worth }] of this.#terms.entries()) {
      let frequency = 0;
      for (let at = 0; at < this.#weights.length; at += 1) frequency += this.#frequencyOf(at, slot);
      sum += worth * saturation(frequency, length, this.#averages.document);
    }
    return sum;
  }

  #scoreBestPassage(): { passage: number; passageAt: number } {
    let passage = 0;
    let passageAt = 0;
    for (let at = 0; at < this.#weights.length; at += 1) {
      let sum = 0;
      for (const [slot, { worth }] of this.#terms.entries()) {
        sum +=
          worth *
          saturation(this.#frequencyOf(at, slot), this.#lengths[at] as number, this.#averages.passage);
      }
      if (sum > passage) {
        passage = sum;
        passageAt = at;
      }
    }
    return { passage, passageAt };
  }

  #frequencyOf(passage: number, slot: number): number {
    return this.#frequencies[passage * this.#terms.length + slot] as number;
  }
}
