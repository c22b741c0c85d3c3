/** Vectors beside the packages: whoever embeds with the same model need not do it again. */
import { z } from 'zod';
import { decodeBase64, encodeBase64 } from '../../kernel/base64.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import { readBody } from '../../search/store/body.ts';
import type { Embedder } from '../../search/vectors/embedder.ts';
import type { Reader } from '../../storage/database.ts';
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

export interface IndexedText {
  readonly space: number;
  readonly doc: number;
  readonly embedder: string | null;
  readonly passages: readonly { readonly field: string; readonly text: string }[];
  readonly vectors: Uint8Array | null;
}

/** How the search index knows a package; drafts and tombstones are not in it. */
export async function selectIndexedText(
  reader: Reader,
  { projectId, packageId }: Pick<StoredPackage, 'projectId' | 'packageId'>,
): Promise<IndexedText | undefined> {
  const row = await reader.get<{
    space: number;
    doc: number;
    embedder: string | null;
    vectors: Uint8Array | null;
    body: string;
  }>(
    `select d.space, d.doc, d.embedder, d.vectors, b.body
     from search_spaces s join search_documents d on d.space = s.space join search_bodies b on b.doc = d.doc
     where s.project_id = ? and s.collection = ? and d.id = ?`,
    [projectId, PACKAGES, packageId],
  );
  if (!row) return undefined;
  const { fields, passages } = readBody(row.body);
  return { ...row, passages: passages.map(([field, text]) => ({ field: fields[field] ?? '', text })) };
}

export async function embeddingLines(
  reader: Reader,
  hasher: Hasher,
  embedder: Embedder,
  stored: StoredPackage,
): Promise<string[]> {
  const indexed = await selectIndexedText(reader, stored);
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

/** As the index packs them: a scale, then a signed byte for each dimension. */
function unpackVectors(packed: Uint8Array, count: number): Float32Array[] {
  const size = packed.byteLength / Math.max(count, 1);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  return Array.from({ length: count }, (_, index) => {
    const scale = view.getFloat32(index * size, true);
    return Float32Array.from({ length: size - 4 }, (__, at) => scale * view.getInt8(index * size + 4 + at));
  });
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
