/** Vectors exported with the packages, so that a server with the same model need not embed them again. */
import { z } from 'zod';
import { decodeBase64, encodeBase64 } from '../../../kernel/base64.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { packDocument, replaceVectors } from '../../../spine/search/store/document-vectors.ts';
import { groupBy } from '../../../spine/search/store/group-by.ts';
import { type IndexedText, selectIndexedText } from '../../../spine/search/store/indexed-text.ts';
import { lockSpace } from '../../../spine/search/store/spaces.ts';
import type { Embedder } from '../../../spine/search/vectors/embedder.ts';
import { unpackVectors } from '../../../spine/search/vectors/packed-vectors.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { selectPackage } from '../packages/store.ts';
import { PACKAGES, type StoredPackage } from '../packages/stored-package.ts';
import type { ContextDeps } from '../ports.ts';
import { parsed, requireOwnProject } from './import/line.ts';

/** The embedder's id names its revision and pooling, so both members are null here. */
const embeddingLine = z.looseObject({
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
type EmbeddingLine = z.output<typeof embeddingLine>;

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

/** A document's vectors in the order of its passages; undefined if they are of another model or text. */
function vectorsFor(
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

/** Returns how many vectors were taken. Those of another model or text are skipped: search embeds what has none. */
export function embeddingsImport({ hasher, search }: Pick<ContextDeps, 'hasher' | 'search'>) {
  const { embedder } = search;

  async function takeForPackage(uow: UnitOfWork, lines: readonly EmbeddingLine[]): Promise<number> {
    const { project_id: projectId, package_id: packageId, content_hash } = lines[0] as EmbeddingLine;
    await lockSpace(uow, projectId, PACKAGES);
    const stored = await selectPackage(uow, projectId, packageId);
    const indexed = await selectIndexedText(uow, { projectId, collection: PACKAGES, id: packageId });
    if (stored?.contentHash !== content_hash || !indexed || indexed.embedder === embedder.id) return 0;
    const vectors = vectorsFor(hasher, embedder, indexed, lines);
    if (!vectors) return 0;
    const packed = packDocument(
      indexed.passages.map(({ text }) => text),
      vectors,
    );
    await replaceVectors(uow, indexed, embedder.id, packed);
    return vectors.length;
  }

  return async (uow: UnitOfWork, lines: readonly string[], principal: Principal): Promise<number> => {
    const byPackage = groupBy(
      lines.map((line) => parsed(embeddingLine, line)),
      ({ project_id, package_id }) => JSON.stringify([project_id, package_id]),
    );
    let taken = 0;
    for (const ofPackage of byPackage.values()) {
      await requireOwnProject(uow, principal, (ofPackage[0] as EmbeddingLine).project_id);
      taken += await takeForPackage(uow, ofPackage);
    }
    return taken;
  };
}
