import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';

export interface Proposal {
  readonly id: string;
  readonly content: string;
  readonly category?: string;
  readonly memory_type: string;
  readonly confidence: number;
  readonly context?: string;
  readonly agentDid: string;
  readonly evidence?: readonly { readonly type?: string; readonly quote?: string }[];
  readonly similar: readonly SimilarMemory[];
}

interface SimilarMemory {
  readonly memory: { readonly id: string; readonly content: string };
  readonly exact: boolean;
  readonly may_contradict: boolean;
}

export const proposalQuery = (id: string) =>
  queryOptions({
    queryKey: ['memory', 'proposal', id],
    queryFn: async ({ signal }) =>
      (await client.call('memory.proposals.get', { id }, { signal })) as unknown as Proposal,
  });
