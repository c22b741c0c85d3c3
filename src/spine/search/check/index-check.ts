import type { DerivedCheck } from '../../journal/verify/derived-slot.ts';
import type { Faults } from '../../journal/verify/report.ts';
import { reportFault } from '../../journal/verify/report-derived.ts';
import type { Reader } from '../../storage/database.ts';
import type { DocumentSource, SearchDocument } from '../document.ts';
import { selectVectorCursors } from '../store/check-store.ts';
import { groupBy, textKey } from '../store/group-by.ts';
import { allSpaces, type Space } from '../store/spaces.ts';
import type { Embedder } from '../vectors/embedder.ts';
import { checkDocuments } from './document-check.ts';
import { checkSurplus } from './surplus-check.ts';
import { Tallies } from './tallies.ts';

const PAGE = 100;

/** What the documents of a space add up to. */
export interface SpaceTally {
  readonly space: Space;
  documents: number;
  passages: number;
  weightedLength: number;
  plainLength: number;
  lastDoc: number;
}

/** One check of the index under way. */
export interface IndexCheck {
  readonly reader: Reader;
  readonly faults: Faults;
  readonly pause: () => Promise<void>;
  readonly embedder: Embedder;
  readonly cursors: Awaited<ReturnType<typeof selectVectorCursors>>;
  readonly tallies: ReadonlyMap<string, SpaceTally>;
  /** Documents that their source has. */
  readonly docs: Tallies;
  /** In how many documents each term is, is posted, and is posted as a strong one. */
  readonly terms: Tallies;
  readonly posted: Tallies;
  readonly strong: Tallies;
}

/**
 * Makes every document of the index again from its source and compares it, then looks for what is there too much. Memory
 * grows by a few bytes for each document and word. Vectors are compared if the embedder that comes with Baton made them.
 */
export function searchIndexCheck(
  sources: readonly DocumentSource[],
  openEmbedder: () => Embedder,
): DerivedCheck {
  return {
    tables: [
      'search_spaces',
      'search_terms',
      'search_documents',
      'search_bodies',
      'search_codes',
      'search_postings',
    ],
    async run(reader, faults, pause) {
      const spaces = await allSpaces(reader);
      const check: IndexCheck = {
        reader,
        faults,
        pause,
        embedder: openEmbedder(),
        cursors: await selectVectorCursors(reader),
        tallies: new Map(spaces.map((space) => [spaceKey(space), tallyOf(space)])),
        docs: new Tallies(),
        terms: new Tallies(),
        posted: new Tallies(),
        strong: new Tallies(),
      };
      let rows = 0;
      for (const source of sources) rows += await checkSource(check, source);
      await checkSurplus(check);
      return rows + spaces.length;
    },
  };
}

async function checkSource(check: IndexCheck, source: DocumentSource): Promise<number> {
  const missing = new Set<string>();
  let documents = 0;
  let after: string | undefined;
  do {
    const page = await source.page(check.reader, after, PAGE);
    for (const [key, ofSpace] of groupBy(page.documents, spaceKey)) {
      const tally = check.tallies.get(key);
      if (tally !== undefined) await checkDocuments(check, tally, ofSpace);
      else if (!missing.has(key)) {
        missing.add(key);
        const { projectId, collection } = ofSpace[0] as SearchDocument;
        reportFault(check.faults, 'derived_missing', 'search_spaces', projectId, collection);
      }
    }
    documents += page.documents.length;
    if (page.next !== undefined && page.next === after) throw new Error('the pages of a source do not end');
    after = page.next;
    await check.pause();
  } while (after !== undefined);
  return documents;
}

const spaceKey = ({ projectId, collection }: Pick<Space, 'projectId' | 'collection'>) =>
  textKey(projectId, collection);

function tallyOf(space: Space): SpaceTally {
  return { space, documents: 0, passages: 0, weightedLength: 0, plainLength: 0, lastDoc: 0 };
}
