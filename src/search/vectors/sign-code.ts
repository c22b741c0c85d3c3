/**
 * A vector as 256 signs of sums over its dimensions: vectors at a small angle agree in most signs, so that comparing
 * codes finds the neighbours of a query among a hundred thousand in one to two milliseconds. Codes only propose;
 * the vectors themselves are compared afterwards.
 */
export const CODE_WORDS = 8;
export const CODE_BYTES = CODE_WORDS * 4;

export function signCode(vector: Float32Array): Uint32Array {
  const code = new Uint32Array(CODE_WORDS);
  const dim = vector.length;
  const coins = coinsFor(dim);
  for (let bit = 0; bit < CODE_WORDS * 32; bit += 1) {
    let sum = 0;
    for (let at = 0; at < dim; at += 1) sum += (coins[bit * dim + at] as number) * (vector[at] as number);
    if (sum > 0) code[bit >>> 5] = ((code[bit >>> 5] as number) | (1 << (bit & 31))) >>> 0;
  }
  return code;
}

const coinsByDim = new Map<number, Int8Array>();

function coinsFor(dim: number): Int8Array {
  let coins = coinsByDim.get(dim);
  if (coins === undefined) {
    coins = Int8Array.from({ length: CODE_WORDS * 32 * dim }, (_, at) =>
      coin(Math.floor(at / dim), at % dim),
    );
    coinsByDim.set(dim, coins);
  }
  return coins;
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
