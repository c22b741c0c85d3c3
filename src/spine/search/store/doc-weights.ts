const PAGE = 4096;

/** Sums by document number: pages of plain numbers, because a map of twenty thousand entries is too slow. */
export class DocWeights {
  readonly #pages = new Map<number, Float64Array>();
  readonly #docs: number[] = [];

  /** The weight is more than 0. */
  add(docs: readonly number[], weight: number): void {
    let page: Float64Array | undefined;
    let pageNumber = -1;
    for (const doc of docs) {
      const number = Math.floor(doc / PAGE);
      if (number !== pageNumber || page === undefined) {
        pageNumber = number;
        page = this.#page(number);
      }
      const before = page[doc % PAGE] as number;
      if (before === 0) this.#docs.push(doc);
      page[doc % PAGE] = before + weight;
    }
  }

  /** The heaviest, in no order; among equals the newest. */
  heaviest(limit: number): number[] {
    const kept = new Heap(limit);
    for (const doc of this.#docs) kept.offer(this.#page(Math.floor(doc / PAGE))[doc % PAGE] as number, doc);
    return kept.docs;
  }

  #page(number: number): Float64Array {
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Float64Array(PAGE);
      this.#pages.set(number, page);
    }
    return page;
  }
}

/** Keeps the `limit` heaviest offered so far; of equal ones the newest. */
class Heap {
  readonly #limit: number;
  readonly #weights: number[] = [];
  readonly #docs: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get docs(): number[] {
    return [...this.#docs];
  }

  offer(weight: number, doc: number): void {
    if (this.#docs.length < this.#limit) {
      this.#weights.push(weight);
      this.#docs.push(doc);
      this.#rise(this.#weights.length - 1);
      return;
    }
    const least = this.#weights[0] as number;
    if (weight < least || (weight === least && doc < (this.#docs[0] as number))) return;
    this.#weights[0] = weight;
    this.#docs[0] = doc;
    this.#sink();
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#weights.length && this.#before(child, least)) least = child;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  /** The lightest and, among equals, the oldest is the first to go. */
  #before(a: number, b: number): boolean {
    const difference = (this.#weights[a] as number) - (this.#weights[b] as number);
    return difference < 0 || (difference === 0 && (this.#docs[a] as number) < (this.#docs[b] as number));
  }

  #swap(a: number, b: number): void {
    [this.#weights[a], this.#weights[b]] = [this.#weights[b] as number, this.#weights[a] as number];
    [this.#docs[a], this.#docs[b]] = [this.#docs[b] as number, this.#docs[a] as number];
  }
}
