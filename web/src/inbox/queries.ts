import type { Operations, Result } from '@baton-ledger/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export type InboxItem = Result<Operations['inbox.list']>['items'][number];

/** More than anybody reads at once; beyond it, "100+" is said. */
export const LISTED = 100;
const SETTLED = 30;

export const openItemsQuery = queryOptions({
  queryKey: ['inbox', 'open'],
  queryFn: ({ signal }) => client.call('inbox.list', { state: 'open', limit: LISTED }, { signal }),
  refetchInterval: 60_000,
});

/** Oldest questions come first in the list of the server; what was settled last stands at the end of the journal. */
export const closedItemsQuery = queryOptions({
  queryKey: ['inbox', 'closed'],
  queryFn: async ({ signal }) => {
    const settled = await client.call(
      'journal.changes',
      { newest: true, limit: SETTLED, types: ['inbox.decided', 'inbox.superseded', 'inbox.expired'] },
      { signal },
    );
    const ids = [...settled.events]
      .sort((a, b) => b.leaf - a.leaf)
      .map(({ event }) => itemIdOf(event.payload));
    const known = [...new Set(ids.filter((id) => id !== undefined))];
    const items = await Promise.all(known.map((id) => client.call('inbox.get', { id }, { signal })));
    return { items, total: items.length, next: null as string | null };
  },
});

function itemIdOf(payload: unknown): string | undefined {
  const id = (payload as { item_id?: unknown } | null)?.item_id;
  return typeof id === 'string' ? id : undefined;
}

export const itemQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'item', id],
    queryFn: ({ signal }) => client.call('inbox.get', { id }, { signal }),
  });
