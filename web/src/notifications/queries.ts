import type { Arguments, Operations, Result } from '@baton-ledger/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export type Channel = Result<Operations['notifications.list']>['channels'][number];
export type NewChannel = Arguments<Operations['notifications.add']>;

export const channelsQuery = queryOptions({
  queryKey: ['notifications', 'channels'],
  queryFn: ({ signal }) => client.call('notifications.list', {}, { signal }),
});

export const mailQuery = queryOptions({
  queryKey: ['notifications', 'mail'],
  queryFn: ({ signal }) => client.call('notifications.mail', {}, { signal }),
});
