import type { Database, Reader } from '../../storage/database.ts';
import { engineOf } from './engine.ts';
import { decodeTermList, postingOf } from './term-list.ts';

const DOCUMENTS_AT_ONCE = 500;

/** Makes the engine's own index from documents that came from another engine, whose index cannot be copied. */
export async function repost(source: Reader, target: Database): Promise<void> {
  const engine = engineOf(target);
  await target.write((uow) => engine.clear(uow));
  for (let after = 0; ; ) {
    const documents = await source.all<{ doc: number; terms: Uint8Array }>(
      'select doc, terms from search_documents where doc > ? order by doc limit ?',
      [after, DOCUMENTS_AT_ONCE],
    );
    const postings = documents.map(({ doc, terms }) => postingOf(doc, decodeTermList(terms)));
    if (postings.length > 0) await target.write((uow) => engine.add(uow, postings));
    if (documents.length < DOCUMENTS_AT_ONCE) return;
    after = documents.at(-1)?.doc ?? after;
  }
}
