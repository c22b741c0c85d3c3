import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type PageQuery, readEntry, readJournalPage } from './read-page.ts';

export const journalPageQuery = (query: PageQuery) =>
  queryOptions({
    queryKey: ['journal', 'page', query],
    queryFn: ({ signal }) => readJournalPage(query, signal),
    placeholderData: keepPreviousData,
    /** The past does not change; only the newest page grows. */
    staleTime: query.before === undefined ? 0 : Number.POSITIVE_INFINITY,
  });

export const journalEntryQuery = (leaf: number) =>
  queryOptions({
    queryKey: ['journal', 'entry', leaf],
    queryFn: async ({ signal }) => (await readEntry(leaf, signal)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
