/**
 * A vector as 256 signs of sums over its dimensions: vectors at a small angle agree in most signs, so that comparing
 * codes finds the neighbours of a query among a hundred thousand in one to two milliseconds. Codes only propose;
 * the vectors themselves are compared afterwards.
 */
export const CODE_WORDS = 8;
export const CODE_BYTES = CODE_WORDS * 4;

const BITS = CODE_WORDS * 32;
/** So many dimensions are summed by one look-up: all their signed sums are made first, and 256 bits share them. */
const GROUP = 8;
const SUMS = 1 << GROUP;

export function signCode(vector: Float32Array): Uint32Array {
  const patterns = patternsFor(vector.length);
  const table = new Float64Array(SUMS);
  const sums = new Float64Array(BITS);
  for (let group = 0; group * GROUP < vector.length; group += 1) {
    fillSignedSums(table, vector, group * GROUP);
    const from = group * BITS;
    for (let bit = 0; bit < BITS; bit += 1) {
      sums[bit] = (sums[bit] as number) + (table[patterns[from + bit] as number] as number);
    }
  }
  const code = new Uint32Array(CODE_WORDS);
  for (let bit = 0; bit < BITS; bit += 1) {
    if ((sums[bit] as number) > 0) code[bit >>> 5] = ((code[bit >>> 5] as number) | (1 << (bit & 31))) >>> 0;
  }
  return code;
}

/** Entry `p` is the sum of the group's values, those whose bit in `p` is clear counted negative. */
function fillSignedSums(table: Float64Array, vector: Float32Array, start: number): void {
  let negative = 0;
  for (let at = start; at < start + GROUP; at += 1) negative -= vector[at] ?? 0;
  table[0] = negative;
  for (let place = 0; place < GROUP; place += 1) {
    const half = 1 << place;
    const twice = 2 * (vector[start + place] ?? 0);
    for (let pattern = 0; pattern < half; pattern += 1) {
      table[half + pattern] = (table[pattern] as number) + twice;
    }
  }
}

const patternsByDim = new Map<number, Uint8Array>();

/** For each group of dimensions, the coins of every bit. */
function patternsFor(dim: number): Uint8Array {
  let patterns = patternsByDim.get(dim);
  if (patterns === undefined) {
    patterns = new Uint8Array(Math.ceil(dim / GROUP) * BITS);
    for (let at = 0; at < dim; at += 1) {
      const from = Math.floor(at / GROUP) * BITS;
      for (let bit = 0; bit < BITS; bit += 1) {
        if (coin(bit, at) > 0) patterns[from + bit] = (patterns[from + bit] as number) | (1 << (at % GROUP));
      }
    }
    patternsByDim.set(dim, patterns);
  }
  return patterns;
}

/** 1 or -1 for each pair, by an integer hash: the same directions in every process and for every store. */
function coin(bit: number, dimension: number): number {
  let hash = Math.imul(bit + 1, 0x9e3779b1) ^ Math.imul(dimension + 1, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) & 1) * 2 - 1;
}

export function packCodes(codes: readonly Uint32Array[]): Uint8Array {
  const packed = new Uint8Array(codes.length * CODE_BYTES);
  const view = new DataView(packed.buffer);
  for (const [index, code] of codes.entries()) {
    for (const [word, bits] of code.entries()) view.setUint32(index * CODE_BYTES + word * 4, bits, true);
  }
  return packed;
}

/** How many bits of a word are set. */
export function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
