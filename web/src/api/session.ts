import type { Operations, Result } from '@baton-ledger/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client, rememberCsrfToken } from './client.ts';

export type WhoAmI = Result<Operations['identity.whoami']>;

/** Who is signed in; fails with 401 or 403 where nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['whoami'],
  queryFn: ({ signal }) => client.call('identity.whoami', {}, { signal }),
  staleTime: 60_000,
});

/** Only below the shell, which shows nothing else until somebody is signed in. */
export function useMe(): WhoAmI {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('nobody is signed in');
  return data;
}

export function maySee(me: WhoAmI, scope: string): boolean {
  const family = `${scope.split(':')[0]}:*`;
  return me.scopes.some((granted) => granted === '*' || granted === scope || granted === family);
}

/** Turns the one-time link behind the `#` into a session; the link is gone from the address bar either way. */
export async function signInByLink(link: string): Promise<void> {
  const { csrf_token } = await client.call('identity.dashboard_open', { link });
  rememberCsrfToken(csrf_token);
}

export async function signOut(): Promise<void> {
  await client.call('identity.dashboard_leave', {});
  rememberCsrfToken(undefined);
}
