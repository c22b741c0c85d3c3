import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { searchErrors } from '../errors.ts';

/** A table of static vectors; a word's rank is its place in the corpus's order of frequency. */
export interface WordVectors {
  readonly dim: number;
  readonly size: number;
  rankOf(word: string): number | undefined;
  /** Adds the vectors of the first `count` words to `sum`, each times its weight, in this order. */
  addTo(sum: Float64Array, ranks: Uint32Array, weights: Float64Array, count: number): void;
}

const FOLDER = join('data', 'word-vectors');
const DIM = 100;

/** Beside the sources and beside the bundle alike, the nearest folder of that name above this file. */
export function findWordVectors(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, FOLDER, 'vocab.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw searchErrors.word_vectors_missing();
    folder = parent;
  }
  return join(folder, FOLDER);
}

export function readWordVectors(folder: string): WordVectors {
  const words = JSON.parse(new TextDecoder().decode(readBytes(join(folder, 'vocab.json')))) as string[];
  const values = new Int8Array(readBytes(join(folder, 'vectors.i8')));
  const stored = new DataView(readBytes(join(folder, 'scales.f32')));
  if (values.length !== words.length * DIM || stored.byteLength !== words.length * 4) {
    throw searchErrors.word_vectors_missing();
  }
  const scales = Float32Array.from(words, (_, rank) => stored.getFloat32(rank * 4, true));
  const ranks = new Map(words.map((word, rank) => [word, rank]));
  /** Past the last one stands the first word of all with no weight: adding its zeros changes nothing. */
  const rankAt = (of: Uint32Array, index: number, count: number) =>
    index < count ? (of[index] as number) : 0;
  const factorAt = (rank: number, weights: Float64Array, index: number, count: number) =>
    index < count ? (weights[index] as number) * (scales[rank] as number) : 0;
  return {
    dim: DIM,
    size: words.length,
    rankOf: (word) => ranks.get(word),
    addTo(sum, ofRanks, weights, count) {
      // Four words to a round, so that the sum is read and written once for all of them: it takes half the time.
      for (let index = 0; index < count; index += 4) {
        const a = rankAt(ofRanks, index, count);
        const b = rankAt(ofRanks, index + 1, count);
        const c = rankAt(ofRanks, index + 2, count);
        const d = rankAt(ofRanks, index + 3, count);
        const ofA = factorAt(a, weights, index, count);
        const ofB = factorAt(b, weights, index + 1, count);
        const ofC = factorAt(c, weights, index + 2, count);
        const ofD = factorAt(d, weights, index + 3, count);
        for (let at = 0; at < DIM; at += 1) {
          sum[at] =
            (sum[at] as number) +
            ofA * (values[a * DIM + at] as number) +
            ofB * (values[b * DIM + at] as number) +
            ofC * (values[c * DIM + at] as number) +
            ofD * (values[d * DIM + at] as number);
        }
      }
    },
  };
}

function readBytes(path: string): ArrayBuffer {
  try {
    const bytes = readFileSync(path);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  } catch (cause) {
    throw searchErrors.word_vectors_missing({ cause });
  }
}
