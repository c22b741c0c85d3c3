import { CODE_BYTES, CODE_WORDS, distances } from './sign-code.ts';

/** How many codes one search compares; of more, the newest. */
export const MAX_CODES = 250_000;

/** The codes of one space in memory, in the order in which they were written. */
export class CodeBook {
  /** The last row of the store that is in here. */
  seq = 0;
  #codes = new Int32Array(1024 * CODE_WORDS);
  #docs = new Float64Array(1024);
  #count = 0;

  /** `hex` is any number of codes of the same document. */
  add(doc: number, hex: string): void {
    const bytes = Buffer.from(hex, 'hex');
    for (let start = 0; start + CODE_BYTES <= bytes.length; start += CODE_BYTES) {
      if (this.#count === this.#docs.length) this.#makeRoom();
      for (let word = 0; word < CODE_WORDS; word += 1) {
        this.#codes[this.#count * CODE_WORDS + word] = bytes.readInt32LE(start + word * 4);
      }
      this.#docs[this.#count] = doc;
      this.#count += 1;
    }
  }

  /** The documents with the nearest codes, as pairs of distance and document, at least `limit` codes deep. */
  nearest(query: Uint32Array, limit: number): (readonly [distance: number, doc: number])[] {
    const all = distances(this.#codes, this.#count, query);
    const within = radiusOf(all, limit);
    const found: (readonly [number, number])[] = [];
    for (let at = 0; at < all.length; at += 1) {
      const distance = all[at] as number;
      if (distance <= within) found.push([distance, this.#docs[at] as number]);
    }
    return found;
  }

  #makeRoom(): void {
    if (this.#count >= MAX_CODES) {
      const kept = MAX_CODES >> 1;
      this.#codes.copyWithin(0, (this.#count - kept) * CODE_WORDS, this.#count * CODE_WORDS);
      this.#docs.copyWithin(0, this.#count - kept, this.#count);
      this.#count = kept;
      return;
    }
    const size = Math.min(this.#docs.length * 2, MAX_CODES);
    const codes = new Int32Array(size * CODE_WORDS);
    codes.set(this.#codes);
    this.#codes = codes;
    const docs = new Float64Array(size);
    docs.set(this.#docs);
    this.#docs = docs;
  }
}

/** The smallest distance within which there are at least `limit` codes. */
function radiusOf(all: Uint16Array, limit: number): number {
  const histogram = new Uint32Array(CODE_WORDS * 32 + 1);
  for (let at = 0; at < all.length; at += 1) {
    const distance = all[at] as number;
    histogram[distance] = (histogram[distance] as number) + 1;
  }
  let seen = 0;
  for (const [distance, count] of histogram.entries()) {
    seen += count;
    if (seen >= limit) return distance;
  }
  return CODE_WORDS * 32;
}
