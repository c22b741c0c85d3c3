import type { Database } from '../storage/database.ts';
import type { DocumentSource } from './document.ts';
import { applyChanges } from './store/apply-changes.ts';
import { clearIndex, lockAllSpaces } from './store/spaces.ts';
import type { Embedder } from './vectors/embedder.ts';

const PAGE = 100;

/**
 * Empties the index and fills it again from its source, a page to a unit. The page is read in the unit that indexes it,
 * behind the lock of all spaces, so that what is written meanwhile is not overwritten with what it replaced.
 */
export async function rebuild(
  db: Database,
  embedder: Embedder,
  source: DocumentSource,
): Promise<{ documents: number }> {
  await db.write(clearIndex);
  let documents = 0;
  let after: string | undefined;
  do {
    const from = after;
    const page = await db.write(async (uow) => {
      await lockAllSpaces(uow);
      const { documents: read, next } = await source.page(uow, from, PAGE);
      await applyChanges(
        uow,
        embedder,
        read.map((document) => ({ key: document, document })),
      );
      return { next, count: read.length };
    });
    documents += page.count;
    after = page.next;
  } while (after !== undefined);
  return { documents };
}
