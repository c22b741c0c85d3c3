import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { searchErrors } from '../errors.ts';

/** A table of static vectors; a word's rank is its place in the corpus's order of frequency. */
export interface WordVectors {
  readonly dim: number;
  readonly size: number;
  rankOf(word: string): number | undefined;
  /** Adds these words' vectors to `sum`, each times its weight, in this order. */
  addTo(sum: Float64Array, ranks: readonly number[], weights: readonly number[]): void;
}

const FOLDER = join('data', 'word-vectors');
const DIM = 100;

/** Beside the sources and beside the bundle alike, the nearest folder of that name above this file. */
export function findWordVectors(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, FOLDER, 'vocab.txt'))) {
    const parent = dirname(folder);
    if (parent === folder) throw searchErrors.word_vectors_missing();
    folder = parent;
  }
  return join(folder, FOLDER);
}

export function readWordVectors(folder: string): WordVectors {
  const words = new TextDecoder().decode(readBytes(join(folder, 'vocab.txt'))).split('\n');
  const values = new Int8Array(readBytes(join(folder, 'vectors.i8')));
  const stored = new DataView(readBytes(join(folder, 'scales.f32')));
  if (values.length !== words.length * DIM || stored.byteLength !== words.length * 4) {
    throw searchErrors.word_vectors_missing();
  }
  const scales = Float32Array.from(words, (_, rank) => stored.getFloat32(rank * 4, true));
  const ranks = new Map(words.map((word, rank) => [word, rank]));
  /** Past the end, the first word is used with weight zero, which changes nothing. */
  const vectorAt = (ofRanks: readonly number[], weights: readonly number[], index: number) => {
    if (index >= ofRanks.length) return { start: 0, factor: 0 };
    const rank = ofRanks[index] as number;
    return { start: rank * DIM, factor: (weights[index] as number) * (scales[rank] as number) };
  };
  return {
    dim: DIM,
    size: words.length,
    rankOf: (word) => ranks.get(word),
    addTo(sum, ofRanks, weights) {
      // Four words to a round, so that the sum is read and written once for all of them: it takes half the time.
      for (let index = 0; index < ofRanks.length; index += 4) {
        const a = vectorAt(ofRanks, weights, index);
        const b = vectorAt(ofRanks, weights, index + 1);
        const c = vectorAt(ofRanks, weights, index + 2);
        const d = vectorAt(ofRanks, weights, index + 3);
        for (let at = 0; at < DIM; at += 1) {
          sum[at] =
            (sum[at] as number) +
            a.factor * (values[a.start + at] as number) +
            b.factor * (values[b.start + at] as number) +
            c.factor * (values[c.start + at] as number) +
            d.factor * (values[d.start + at] as number);
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
