/** Vectors beside the packages: whoever embeds with the same model need not do it again. */
import { z } from 'zod';
import { decodeBase64, encodeBase64 } from '../../../kernel/base64.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { type IndexedText, selectIndexedText } from '../../../spine/search/store/indexed-text.ts';
import type { Embedder } from '../../../spine/search/vectors/embedder.ts';
import { unpackVectors } from '../../../spine/search/vectors/packed-vectors.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { PACKAGES } from '../packages/searchable.ts';
import type { StoredPackage } from '../packages/stored-package.ts';

/** The embedder's id names its revision and how it pools, so these two add nothing to it here. */
export const embeddingLine = z.looseObject({
  project_id: z.string(),
  package_id: z.string(),
  content_hash: z.string(),
  field: z.string(),
  chunk_no: z.number().int().min(0),
  text_sha256: z.string(),
  model: z.string(),
  model_revision: z.string().nullable(),
  dims: z.number().int().min(1),
  dtype: z.string(),
  pooling: z.string().nullable(),
  normalized: z.boolean(),
  vector_b64: z.string(),
});
export type EmbeddingLine = z.output<typeof embeddingLine>;

export async function embeddingLines(
  reader: Reader,
  hasher: Hasher,
  embedder: Embedder,
  stored: StoredPackage,
): Promise<string[]> {
  const indexed = await selectIndexedText(reader, {
    projectId: stored.projectId,
    collection: PACKAGES,
    id: stored.packageId,
  });
  if (!indexed?.vectors || indexed.embedder !== embedder.id) return [];
  const vectors = unpackVectors(indexed.vectors, indexed.passages.length);
  return indexed.passages.map(({ field, text }, chunk) => {
    const vector = vectors[chunk] as Float32Array;
    const line: EmbeddingLine = {
      project_id: stored.projectId,
      package_id: stored.packageId,
      content_hash: stored.contentHash,
      field,
      chunk_no: chunk,
      text_sha256: hasher.hex(text),
      model: embedder.id,
      model_revision: null,
      dims: vector.length,
      dtype: 'float32',
      pooling: null,
      normalized: true,
      vector_b64: encodeFloats(vector),
    };
    return JSON.stringify(line);
  });
}

/** The vectors of a whole document in the order of its passages; undefined where they are not those of this model and text. */
export function vectorsFor(
  hasher: Hasher,
  embedder: Embedder,
  { passages }: IndexedText,
  lines: readonly EmbeddingLine[],
): Float32Array[] | undefined {
  const byChunk = new Map(lines.map((line) => [line.chunk_no, line]));
  const vectors: Float32Array[] = [];
  for (const [chunk, { text }] of passages.entries()) {
    const line = byChunk.get(chunk);
    if (!line || !isOf(embedder, line) || line.text_sha256 !== hasher.hex(text)) return undefined;
    const vector = decodeFloats(line.vector_b64);
    if (vector?.length !== line.dims) return undefined;
    vectors.push(vector);
  }
  return vectors;
}

function isOf(embedder: Embedder, line: EmbeddingLine): boolean {
  return (
    line.model === embedder.id &&
    line.model_revision === null &&
    line.pooling === null &&
    line.normalized &&
    line.dtype === 'float32' &&
    (embedder.dim === 0 || line.dims === embedder.dim)
  );
}

function encodeFloats(vector: Float32Array): string {
  const bytes = new Uint8Array(vector.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [at, value] of vector.entries()) view.setFloat32(at * 4, value, true);
  return encodeBase64(bytes);
}

function decodeFloats(text: string): Float32Array | undefined {
  const bytes = decodeBase64(text);
  if (!bytes || bytes.byteLength % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = Float32Array.from({ length: bytes.byteLength / 4 }, (_, at) =>
    view.getFloat32(at * 4, true),
  );
  return vector.every(Number.isFinite) ? vector : undefined;
}
