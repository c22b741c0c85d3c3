import { pagedSource } from '../../../spine/search/document.ts';
import type { SearchIndex } from '../../../spine/search/search-index.ts';
import type { Database } from '../../../spine/storage/database.ts';
import { hasText, spanDocument } from './span-document.ts';
import { understand } from './sum-spans.ts';
import {
  deleteTexts,
  markIndexed,
  selectIndexedTexts,
  selectSaid,
  selectWaitingTexts,
} from './summary-store.ts';

const BATCH = 50;

/**
 * Puts what was said in spans into the one search, some at a time; true if there may be more. Apart from the sums, since
 * it costs many times as much and nobody waits for it.
 */
export function indexTexts(db: Database, search: Pick<SearchIndex, 'index'>): Promise<boolean> {
  return db.write(async (uow) => {
    await uow.lock('relay:texts');
    const seqs = await selectWaitingTexts(uow, BATCH);
    if (seqs.length === 0) return false;
    const empty: number[] = [];
    for (const row of await selectSaid(uow, seqs)) {
      const span = understand(row);
      if (hasText(span)) search.index(uow, spanDocument(span));
      else empty.push(row.seq);
      await uow.giveTurn();
    }
    await deleteTexts(uow, empty);
    await markIndexed(uow, seqs);
    return seqs.length === BATCH;
  });
}

/** What search should know of spans: those that it has been told of. */
export const spanSearchSource = pagedSource<[number]>(async (reader, after, limit) => {
  const seqs = await selectIndexedTexts(reader, after?.[0] ?? 0, limit);
  const rows = seqs.length === 0 ? [] : await selectSaid(reader, seqs);
  return rows.map((row) => ({ at: [row.seq], document: spanDocument(understand(row)) }));
});
