/**
 * The last digest of every row that events speak of, in typed arrays: a million rows take some 40 MB, a fifth of what
 * a Map of texts takes.
 *
 * Rows are found by a 64-bit hash whose seed is drawn anew for each verification. Two rows with the same hash could hide
 * each other, and nobody can prepare such rows without knowing the seed.
 */
export class DigestMap {
  readonly #seed: readonly [number, number];
  #capacity = 1 << 12;
  #size = 0;
  /** Per slot: the hash, and the digest. */
  #hashes = new Uint32Array(this.#capacity * 2);
  #digests = new Float64Array(this.#capacity * 2);
  #leaves = new Float64Array(this.#capacity);
  #states = new Uint8Array(this.#capacity);

  constructor(seed: readonly [number, number]) {
    this.#seed = seed;
  }

  /** `digest` is null for a row that is gone. */
  set(row: string, digest: string | null, leaf: number): void {
    if (this.#size * 5 > this.#capacity * 3) this.#grow();
    const [high, low] = this.#hash(row);
    const slot = this.#find(high, low);
    if (this.#states[slot] === EMPTY) {
      this.#size += 1;
      this.#hashes[slot * 2] = high;
      this.#hashes[slot * 2 + 1] = low;
    }
    this.#states[slot] = digest === null ? GONE : LIVE;
    this.#leaves[slot] = leaf;
    if (digest === null) return;
    this.#digests[slot * 2] = firstOf(digest);
    this.#digests[slot * 2 + 1] = secondOf(digest);
  }

  /** Whether events spoke of the row before, and said something else of it. */
  contradicts(row: string, digest: string | null): boolean {
    const slot = this.#find(...this.#hash(row));
    const state = this.#states[slot];
    if (state === EMPTY) return false;
    if (digest === null) return state !== GONE;
    return state === GONE || !this.#isAt(slot, digest);
  }

  /** Compares 104 bits of the digest, and remembers that the row was met. */
  meet(row: string, digest: string): { readonly is: Meeting; readonly leaf: number } {
    const [high, low] = this.#hash(row);
    const slot = this.#find(high, low);
    const leaf = this.#leaves[slot] as number;
    const state = this.#states[slot];
    if (state === EMPTY) return { is: 'unknown', leaf };
    if (state === GONE) return { is: 'gone', leaf };
    if (state === MET) return { is: 'met', leaf };
    this.#states[slot] = MET;
    return { is: this.#isAt(slot, digest) ? 'same' : 'other', leaf };
  }

  #isAt(slot: number, digest: string): boolean {
    return this.#digests[slot * 2] === firstOf(digest) && this.#digests[slot * 2 + 1] === secondOf(digest);
  }

  /** Where rows were recorded that should be there and were not met: by leaf, the hashes of those rows. */
  unmet(): Map<number, Set<string>> {
    const found = new Map<number, Set<string>>();
    for (let slot = 0; slot < this.#capacity; slot += 1) {
      if (this.#states[slot] !== LIVE) continue;
      const leaf = this.#leaves[slot] as number;
      const hash = `${this.#hashes[slot * 2]}:${this.#hashes[slot * 2 + 1]}`;
      const known = found.get(leaf);
      if (known === undefined) found.set(leaf, new Set([hash]));
      else known.add(hash);
    }
    return found;
  }

  hashOf(row: string): string {
    return this.#hash(row).join(':');
  }

  #hash(text: string): [number, number] {
    let [a, b] = this.#seed;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 0x9e3779b1);
      b = Math.imul(b ^ code, 0x85ebca77);
      a ^= b >>> 15;
      b ^= a >>> 13;
    }
    a = Math.imul(a ^ (a >>> 16), 0xc2b2ae3d) ^ b;
    b = Math.imul(b ^ (b >>> 16), 0x27d4eb2f) ^ a;
    return [(a ^ (a >>> 15)) >>> 0, (b ^ (b >>> 15)) >>> 0];
  }

  /** The row's slot, or the empty one where it belongs. */
  #find(high: number, low: number): number {
    const mask = this.#capacity - 1;
    let slot = low & mask;
    while (
      this.#states[slot] !== EMPTY &&
      (this.#hashes[slot * 2] !== high || this.#hashes[slot * 2 + 1] !== low)
    ) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [hashes, digests, leaves, states] = [this.#hashes, this.#digests, this.#leaves, this.#states];
    this.#capacity *= 2;
    this.#hashes = new Uint32Array(this.#capacity * 2);
    this.#digests = new Float64Array(this.#capacity * 2);
    this.#leaves = new Float64Array(this.#capacity);
    this.#states = new Uint8Array(this.#capacity);
    for (let old = 0; old < states.length; old += 1) {
      if (states[old] === EMPTY) continue;
      const slot = this.#find(hashes[old * 2] as number, hashes[old * 2 + 1] as number);
      this.#hashes.set(hashes.subarray(old * 2, old * 2 + 2), slot * 2);
      this.#digests.set(digests.subarray(old * 2, old * 2 + 2), slot * 2);
      this.#leaves[slot] = leaves[old] as number;
      this.#states[slot] = states[old] as number;
    }
  }
}

/** `gone`: the last event about the row says that it was deleted. */
export type Meeting = 'same' | 'other' | 'gone' | 'met' | 'unknown';

const [EMPTY, LIVE, GONE, MET] = [0, 1, 2, 3];

/** As many digits as a double holds exactly. */
const DIGITS = 13;
const firstOf = (digest: string) => Number.parseInt(digest.slice(0, DIGITS), 16);
const secondOf = (digest: string) => Number.parseInt(digest.slice(DIGITS, 2 * DIGITS), 16);
