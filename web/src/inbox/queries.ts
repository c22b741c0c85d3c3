import type { Operations, Result } from '@baton-ledger/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export type InboxItem = Result<Operations['inbox.list']>['items'][number];

/** `mine`: what whoever is signed in can decide; `all`: whatever waits for anybody. */
type OpenKind = 'mine' | 'all';
type ClosedState = 'applied' | 'decided' | 'failed' | 'superseded' | 'expired';

export interface ItemsAsked {
  readonly show: OpenKind | ClosedState;
  readonly words: string | undefined;
  readonly cursor: string | undefined;
  readonly limit?: number;
}

const LISTED = 50;
const LOOK_MS = 60_000;

/** What waits begins with what has waited longest; what is settled, with what was asked last. */
export const itemsQuery = ({ show, words, cursor, limit = LISTED }: ItemsAsked) =>
  queryOptions({
    queryKey: ['inbox', 'items', show, words, cursor, limit],
    queryFn: ({ signal }) =>
      client.call(
        'inbox.list',
        {
          limit,
          ...(show === 'mine' || show === 'all'
            ? { state: 'open', ...(show === 'mine' && { mine: true }) }
            : { state: show, sort: 'newest' }),
          ...(words && { words }),
          ...(cursor !== undefined && { cursor }),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  });

export const inboxCountsQuery = queryOptions({
  queryKey: ['inbox', 'counts'],
  queryFn: ({ signal }) => client.call('inbox.counts', {}, { signal }),
  refetchInterval: LOOK_MS,
});

const KINDS_OF_RUNS = ['gate', 'needs_human', 'escalation'];
const MOST_OF_RUNS = 200;

/** What waits in the runs of a project: a run has at most a few. */
export const runItemsQuery = (project: string) =>
  queryOptions({
    queryKey: ['inbox', 'runs', project],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        KINDS_OF_RUNS.map((kind) =>
          client.call('inbox.list', { project, kind, limit: MOST_OF_RUNS }, { signal }),
        ),
      );
      return lists.flatMap(({ items }) => items);
    },
  });

export const itemQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'item', id],
    queryFn: ({ signal }) => client.call('inbox.get', { id }, { signal }),
  });
