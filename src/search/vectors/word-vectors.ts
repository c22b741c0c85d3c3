import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { searchErrors } from '../errors.ts';

/** A table of static vectors; a word's rank is its place in the corpus's order of frequency. */
export interface WordVectors {
  readonly dim: number;
  readonly size: number;
  rankOf(word: string): number | undefined;
  /** Adds `weight` times the word's vector to `sum`. */
  addTo(sum: Float64Array, rank: number, weight: number): void;
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
  const scales = new DataView(readBytes(join(folder, 'scales.f32')));
  if (values.length !== words.length * DIM || scales.byteLength !== words.length * 4) {
    throw searchErrors.word_vectors_missing();
  }
  const ranks = new Map(words.map((word, rank) => [word, rank]));
  return {
    dim: DIM,
    size: words.length,
    rankOf: (word) => ranks.get(word),
    addTo(sum, rank, weight) {
      const factor = weight * scales.getFloat32(rank * 4, true);
      const start = rank * DIM;
      for (let at = 0; at < DIM; at += 1) {
        sum[at] = (sum[at] as number) + factor * (values[start + at] as number);
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
