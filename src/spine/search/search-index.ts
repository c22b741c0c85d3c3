import type { Clock } from '../../kernel/clock.ts';
import type { Database, Gathering, Reader, UnitOfWork } from '../storage/database.ts';
import { type CatchUpProgress, catchUp } from './catch-up.ts';
import type { DocumentKey, DocumentSource, SearchDocument } from './document.ts';
import { LongTexts } from './long-texts.ts';
import type { SearchHit, SearchRequest } from './request.ts';
import type { RankingPart } from './rules/ranking.ts';
import { applyChanges, type Change } from './store/apply-changes.ts';
import { textKey } from './store/group-by.ts';
import { VectorProposer } from './store/propose-by-vector.ts';
import { search } from './store/search.ts';
import { clearIndex, lockAllSpaces } from './store/spaces.ts';
import type { Embedder } from './vectors/embedder.ts';

export interface SearchIndex {
  readonly embedder: Embedder;
  /**
   * Puts the document into the index, or replaces it, when the unit commits. A search in the same unit sees it, but not
   * the documents of the units that commit with it. `whole` is false if only the beginning of its text is indexed.
   */
  index(uow: UnitOfWork, document: SearchDocument): { readonly whole: boolean };
  /** Takes it out. Nothing of its text stays in the index. */
  remove(uow: UnitOfWork, key: DocumentKey): void;
  /** The same order on both engines. A query without a word that is known or near finds nothing. */
  search(reader: Reader, request: SearchRequest): Promise<SearchHit[]>;
  /** For embedders that need I/O: before the read, never inside it. Undefined if the embedder does not answer. */
  embedQuery(query: string): Promise<Float32Array | undefined>;
  /** `embedQuery` and `search` in one read. */
  searchIn(db: Database, request: SearchRequest): Promise<SearchHit[]>;
  /** Embeds the next documents that have no vectors of this embedder yet; `left` is false when none was found. */
  catchUp(db: Database, batch?: number): Promise<CatchUpProgress>;
  /** Rebuilds the whole index. Searches find less until it is done. */
  rebuild(db: Database, source: DocumentSource): Promise<{ documents: number }>;
}

export interface SearchIndexOptions {
  readonly embedder: Embedder;
  readonly clock: Clock;
  /** Parts of the ranking that are left out, to measure what they are worth; none by default. */
  readonly without?: readonly RankingPart[];
  /** Called with the reason when a search falls back to words alone. */
  readonly onEmbedderError?: (error: unknown) => void;
}

/** One for each store. */
export function createSearchIndex(options: SearchIndexOptions): SearchIndex {
  const { embedder, clock, onEmbedderError } = options;
  const without = new Set(options.without);
  const changesOfUnit = Symbol('changes of the search index');
  const proposer = new VectorProposer();
  const longTexts = new LongTexts();

  const changesOf = (uow: UnitOfWork) => uow.memo(changesOfUnit, () => new Map<string, Change>());

  // Many documents together share the look-ups of their words and the counts of their space.
  const changes: Gathering<Change> = {
    async apply(uow, items) {
      const last = new Map(items.map((change) => [keyText(change), change]));
      await applyChanges(uow, embedder, [...last.values()]);
    },
  };

  const note = (uow: UnitOfWork, change: Change): void => {
    changesOf(uow).set(keyText(change), change);
    uow.gather(changes, change);
  };

  /** For a search in the unit itself. The commit applies them again, in case another unit changed the same document. */
  const applyNow = async (uow: UnitOfWork): Promise<void> => {
    const own = [...changesOf(uow).values()];
    changesOf(uow).clear();
    await applyChanges(uow, embedder, own);
  };

  const embedQuery = async (query: string): Promise<Float32Array | undefined> => {
    try {
      return (await embedder.embed([query]))[0];
    } catch (error) {
      onEmbedderError?.(error);
      return undefined;
    }
  };

  const searchNow = async (reader: Reader, request: SearchRequest): Promise<SearchHit[]> => {
    if ('memo' in reader) await applyNow(reader as UnitOfWork);
    return search(reader, { embedder, proposer, now: clock.now(), without }, request);
  };

  return {
    embedder,
    index(uow, document) {
      const analysis = longTexts.find(uow, document.fields);
      note(uow, { key: document, document, analysis });
      return { whole: analysis?.whole ?? true };
    },
    remove: (uow, key) => note(uow, { key }),
    search: searchNow,
    embedQuery,
    async searchIn(db, request) {
      const vector = request.vector ?? (await embedQuery(request.query));
      return db.read((reader) => searchNow(reader, vector === undefined ? request : { ...request, vector }));
    },
    catchUp: (db, batch) => catchUp(db, embedder, batch),
    rebuild: (db, source) => rebuild(db, embedder, source),
  };
}

function keyText({ key: { projectId, collection, id } }: Change): string {
  return textKey(projectId, collection, id);
}

const PAGE = 100;

/**
 * Empties the index and fills it again from its source, a page to a unit. The page is read in the unit that indexes it,
 * behind the lock of all spaces, so that what is written meanwhile is not overwritten with what it replaced.
 */
async function rebuild(
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
