import type { Operations, Result } from '@baton-ledger/client';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQueries,
} from '@tanstack/react-query';
import { client } from '../api/client.ts';

export type InboxItem = Result<Operations['inbox.list']>['items'][number];

export type ItemGroup = Result<Operations['inbox.groups']>['groups'][number];
export type Facets = Result<Operations['inbox.counts']>;
export type ManyResult = Result<Operations['inbox.decide_many']>['results'][number];

/** `mine`: what whoever is signed in can decide; `all`: whatever waits for anybody; `aside`: what they put aside. */
export type OpenTab = 'mine' | 'all' | 'aside';
type ClosedState = 'applied' | 'decided' | 'failed' | 'superseded' | 'expired';

export interface ItemsAsked {
  readonly show: ClosedState;
  readonly words: string | undefined;
  readonly cursor: string | undefined;
  readonly limit?: number;
}

const LISTED = 50;
const LOOK_MS = 60_000;

/** What is settled begins with what was asked last. */
export const itemsQuery = ({ show, words, cursor, limit = LISTED }: ItemsAsked) =>
  queryOptions({
    queryKey: ['inbox', 'items', show, words, cursor, limit],
    queryFn: ({ signal }) =>
      client.call(
        'inbox.list',
        {
          limit,
          state: show,
          sort: 'newest',
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

const BEFORE = 40;

/** How requests like one were decided, the newest first. */
export const decidedAlikeQuery = (like: string) =>
  queryOptions({
    queryKey: ['inbox', 'before', like],
    queryFn: ({ signal }) =>
      client.call('inbox.list', { like, state: 'applied', sort: 'newest', limit: BEFORE }, { signal }),
  });

export interface OpenFilter {
  readonly tab: OpenTab;
  readonly kind: string | undefined;
  readonly risk: string | undefined;
  readonly agent: string | undefined;
  readonly project: string | undefined;
  readonly words: string | undefined;
}

function asked({ tab, kind, risk, agent, project, words }: OpenFilter) {
  return {
    ...(tab === 'mine' && { mine: true }),
    ...(tab === 'aside' && { aside: true }),
    ...(kind && { kind }),
    ...(risk && { risk: risk as InboxItem['risk'] }),
    ...(agent && { requested_by: agent }),
    ...(project && { project }),
    ...(words && { words }),
  };
}

export const facetsQuery = (filter: OpenFilter) =>
  queryOptions({
    queryKey: ['inbox', 'facets', asked(filter)],
    queryFn: ({ signal }) => client.call('inbox.counts', asked(filter), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  });

const groupsQuery = (filter: OpenFilter) =>
  infiniteQueryOptions({
    queryKey: ['inbox', 'groups', asked(filter)],
    queryFn: ({ signal, pageParam }) =>
      client.call(
        'inbox.groups',
        { ...asked(filter), limit: LISTED, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  });

export const useGroups = (filter: OpenFilter) => useInfiniteQuery(groupsQuery(filter));

const MEMBERS = 200;

/** Every request that is like one, under the same filters. */
export async function readAlike(
  filter: OpenFilter,
  like: string,
  signal?: AbortSignal,
): Promise<readonly InboxItem[]> {
  const items: InboxItem[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page: Result<Operations['inbox.list']> = await client.call(
      'inbox.list',
      { ...asked(filter), like, sort: 'urgency', limit: MEMBERS, ...(cursor && { cursor }) },
      signal && { signal },
    );
    items.push(...page.items);
    cursor = page.next;
  }
  return items;
}

/** The members of the groups that are open, as far as they are read. */
export function useMembers(filter: OpenFilter, likes: readonly string[]) {
  const queries = useQueries({
    queries: likes.map((like) => ({
      queryKey: ['inbox', 'alike', like, asked(filter)],
      queryFn: ({ signal }: { signal: AbortSignal }) => readAlike(filter, like, signal),
    })),
  });
  return new Map(
    likes.flatMap((like, at) => {
      const items = queries[at]?.data;
      return items ? [[like, items] as const] : [];
    }),
  );
}

/** The first groups say what they add up to without being opened; for the others that would be many questions. */
const MOST_SUMMED = 6;
const LARGEST_SUMMED = 200;

export function summedUp(groups: readonly ItemGroup[]): string[] {
  return groups
    .filter(({ count }) => count > 1 && count <= LARGEST_SUMMED)
    .slice(0, MOST_SUMMED)
    .flatMap(({ first }) => first.like ?? []);
}
