import type { UnitOfWork } from '../../storage/database.ts';
import { packVectors } from '../vectors/packed-vectors.ts';
import { packCodes, signCode } from '../vectors/sign-code.ts';

/** One row per document and embedder: the vectors of its passages and their codes. The caller holds the space. */
export async function writeVectors(
  uow: UnitOfWork,
  space: number,
  doc: number,
  embedder: string,
  vectors: readonly Float32Array[],
): Promise<void> {
  const telling = vectors.filter((vector) => vector.some((value) => value !== 0));
  await uow.run(
    `insert into search_vectors (space, doc, embedder, vectors, codes) values (?, ?, ?, ?, ?)
     on conflict (doc, embedder) do nothing`,
    [space, doc, embedder, packVectors(vectors), packCodes(telling.map(signCode))],
  );
}
