import type { Operations, Result } from '@baton-ledger/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';

export type StandingAnswer = Result<Operations['standing.list']>['items'][number];
export type DraftedAnswer = Result<Operations['standing.draft']>;
export type Replayed = DraftedAnswer['replayed'][number];

/** Under the inbox, so that every decision asks again. */
export const standingQuery = (project: string | undefined) =>
  queryOptions({
    queryKey: ['inbox', 'standing', project],
    queryFn: ({ signal }) => client.call('standing.list', { ...(project && { project }) }, { signal }),
    staleTime: 60_000,
  });

export const draftedQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'standing', 'draft', id],
    queryFn: ({ signal }) => client.call('standing.draft', { id }, { signal }),
    retry: false,
  });
