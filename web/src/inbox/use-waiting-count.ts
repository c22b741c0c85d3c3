import { useQuery } from '@tanstack/react-query';
import { maySee, useMe } from '../api/session.ts';
import { inboxCountsQuery } from './queries.ts';

export interface Waiting {
  /** What whoever is signed in can decide. */
  readonly mine: number;
  /** What waits for somebody else. */
  readonly others: number;
  /** What they have put aside. */
  readonly aside: number;
}

/** Undefined until it is known, and for those who may not see. */
export function useWaitingCount(): Waiting | undefined {
  const enabled = maySee(useMe(), 'inbox:read');
  const { data } = useQuery({ ...inboxCountsQuery, enabled });
  return data && { mine: data.mine, others: data.open - data.mine - data.aside, aside: data.aside };
}
