import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => client.call('system.health', {}, { signal }),
  refetchInterval: 10_000,
});

/** The tree as it stands, signed. */
export const checkpointQuery = queryOptions({
  queryKey: ['checkpoint'],
  queryFn: ({ signal }) => client.call('journal.checkpoint', {}, { signal }),
});
