import { useQuery } from '@tanstack/react-query';
import { maySee, useMe } from '../api/session.ts';
import { LISTED, openItemsQuery } from './queries.ts';

/** How many decisions wait; undefined until it is known, and for those who may not see. */
export function useWaitingCount(): { count: number; words: string } | undefined {
  const enabled = maySee(useMe(), 'inbox:read');
  const { data } = useQuery({ ...openItemsQuery, enabled });
  if (!data) return undefined;
  const count = data.items.length;
  return { count, words: count >= LISTED ? `${LISTED}+` : String(count) };
}
