import type { Principal } from '../../../../spine/identity/principal.ts';
import { packDocument, replaceVectors } from '../../../../spine/search/store/document-vectors.ts';
import { groupBy } from '../../../../spine/search/store/group-by.ts';
import { selectIndexedText } from '../../../../spine/search/store/indexed-text.ts';
import { lockSpace } from '../../../../spine/search/store/spaces.ts';
import type { UnitOfWork } from '../../../../spine/storage/database.ts';
import { PACKAGES } from '../../packages/searchable.ts';
import { selectPackage } from '../../packages/store.ts';
import type { ContextDeps } from '../../ports.ts';
import { type EmbeddingLine, embeddingLine, vectorsFor } from '../embeddings.ts';
import { parsed, requireOwnProject } from './line.ts';

/** Answers how many vectors were taken. Those of another model or text are left: search embeds what has none. */
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
