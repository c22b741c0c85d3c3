import { reportFault } from '../../journal/verify/report-derived.ts';
import { selectPartDocs, selectPlaces, selectTerms } from '../store/check-store.ts';
import { engineOf } from '../store/engine.ts';
import type { IndexCheck, SpaceTally } from './index-check.ts';

const PAGE = 2_000;

/** What is in the index and comes from no document, and counts that do not add up. Run once all documents are counted. */
export async function checkSurplus(check: IndexCheck): Promise<void> {
  await checkPlaces(check);
  for (const table of ['search_bodies', 'search_codes'] as const) {
    await inPages(
      check,
      (after) => selectPartDocs(check.reader, table, after, PAGE),
      (doc) => {
        if (check.docs.get(doc) === 0) reportFault(check.faults, 'derived_surplus', table, doc);
        return doc;
      },
    );
  }
  for (const doc of await engineOf(check.reader).surplusPostings(check.reader, check)) {
    reportFault(check.faults, 'derived_surplus', 'search_postings', doc);
  }
  await inPages(
    check,
    (after) => selectTerms(check.reader, after, PAGE),
    ({ term, documents }) => {
      const counted = check.terms.get(term);
      if (counted === 0) reportFault(check.faults, 'derived_surplus', 'search_terms', term);
      else if (counted !== documents) reportFault(check.faults, 'derived_changed', 'search_terms', term);
      return term;
    },
  );
  for (const tally of check.tallies.values()) compareSpace(check, tally);
}

async function checkPlaces(check: IndexCheck): Promise<void> {
  const spaces = new Map([...check.tallies.values()].map(({ space }) => [space.space, space]));
  const missing = new Set<number>();
  await inPages(
    check,
    (after) => selectPlaces(check.reader, after, PAGE),
    ({ doc, space, id }) => {
      const { projectId, collection } = spaces.get(space) ?? {};
      if (projectId === undefined && !missing.has(space)) {
        missing.add(space);
        reportFault(check.faults, 'derived_missing', 'search_spaces', space);
      }
      if (check.docs.get(doc) === 0) {
        const place = projectId === undefined || collection === undefined ? [space] : [projectId, collection];
        reportFault(check.faults, 'derived_surplus', 'search_documents', ...place, id);
      }
      return doc;
    },
  );
}

const COUNTERS = ['documents', 'passages', 'weightedLength', 'plainLength'] as const;

/** The last number that a space gave may belong to a document that is gone; a smaller one would be given twice. */
function compareSpace({ faults }: IndexCheck, tally: SpaceTally): void {
  const { space } = tally;
  if (COUNTERS.every((name) => tally[name] === space[name]) && space.lastDoc >= tally.lastDoc) return;
  reportFault(faults, 'derived_changed', 'search_spaces', space.projectId, space.collection);
}

/** `look` returns the number that the next page goes on after. */
async function inPages<T>(
  { pause }: IndexCheck,
  read: (after: number) => Promise<readonly T[]>,
  look: (row: T) => number,
): Promise<void> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await read(after);
    for (const row of rows) after = look(row);
    if (rows.length < PAGE) return;
    await pause();
  }
}
