import type { Operations, Result } from '@baton-ledger/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export interface Verification {
  readonly report: Result<Operations['journal.verify']>;
  readonly at: string;
  readonly took: number;
}

const KEY = ['verification'];

/** The last verification that this page asked for; it survives a walk to another page. */
export function useVerification() {
  const queries = useQueryClient();
  const { data } = useQuery<Verification | null>({
    queryKey: KEY,
    queryFn: () => null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const run = useMutation({
    mutationKey: KEY,
    mutationFn: async (): Promise<Verification> => {
      const started = performance.now();
      const report = await client.call('journal.verify', {});
      return { report, at: new Date().toISOString(), took: performance.now() - started };
    },
    onSuccess: (verification) => {
      queries.setQueryData(KEY, verification);
      void queries.invalidateQueries({ queryKey: ['checkpoint'] });
    },
  });
  return { last: data ?? undefined, run };
}
