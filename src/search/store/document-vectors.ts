import type { UnitOfWork } from '../../storage/database.ts';
import { packVectors } from '../vectors/packed-vectors.ts';
import { packCodes, signCode } from '../vectors/sign-code.ts';

/** A code stands for about this much text: it only proposes, and fewer codes are compared faster. */
const CODE_SPAN = 1_200;

export interface DocumentVectors {
  readonly vectors: Uint8Array;
  readonly codes: Uint8Array;
}

/** Vectors by passage, codes by stretches of neighbouring passages. */
export function packDocument(texts: readonly string[], vectors: readonly Float32Array[]): DocumentVectors {
  return { vectors: packVectors(vectors), codes: packCodes(stretches(texts, vectors).map(signCode)) };
}

function stretches(texts: readonly string[], vectors: readonly Float32Array[]): Float32Array[] {
  const sums: Float32Array[] = [];
  let span = Number.POSITIVE_INFINITY;
  for (const [at, vector] of vectors.entries()) {
    const length = (texts[at] as string).length;
    if (vector.every((value) => value === 0)) continue;
    const weighted = vector.map((value) => value * length);
    const open = sums.at(-1);
    if (open !== undefined && span + length <= CODE_SPAN) {
      for (const [dimension, value] of weighted.entries())
        open[dimension] = (open[dimension] as number) + value;
      span += length;
    } else {
      sums.push(weighted);
      span = length;
    }
  }
  return sums;
}

/** The caller holds the space: rows of one space are numbered in the order of their commits. */
export async function writeCodes(
  uow: UnitOfWork,
  space: number,
  doc: number,
  embedder: string,
  codes: Uint8Array,
): Promise<void> {
  await uow.run('insert into search_codes (doc, space, embedder, codes) values (?, ?, ?, ?)', [
    doc,
    space,
    embedder,
    codes,
  ]);
}
