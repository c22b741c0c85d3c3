import type { Operations, Result } from '@baton-ledger/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export type Profile = Result<Operations['memory.profile.list']>['profiles'][number];

interface Memory {
  readonly id: string;
  readonly content: string;
  readonly category?: string;
  readonly sensitivity?: string;
  readonly status: string;
  readonly source?: { readonly type?: string; readonly timestamp?: string; readonly agentDid?: string };
  readonly metadata?: {
    readonly useCount?: number;
    readonly lastUsed?: string;
    readonly approvedAt?: string;
  };
}

export interface KnownMemory {
  readonly type: string;
  readonly memory: Memory;
  readonly confidence: number;
  readonly suggests?: string;
  readonly pinned?: boolean;
}

export interface ConsentPolicy {
  readonly id: string;
  readonly name?: string;
  readonly agentPattern: string;
  readonly permissions: readonly string[];
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

export interface Receipt {
  readonly receiptId: string;
  readonly agentDid: string;
  readonly grantedScopes: readonly string[];
  readonly grantedAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly purpose: { readonly type: string };
  readonly permissions: readonly string[];
  readonly accessLog: readonly { readonly timestamp: string; readonly action: string }[];
}

interface WaitingProposal {
  readonly id: string;
  readonly content: string;
  readonly category?: string;
  readonly memory_type: string;
  readonly agentDid: string;
  readonly proposedAt: string;
  readonly expiresAt: string;
}

const LISTED = 200;

export const profilesQuery = queryOptions({
  queryKey: ['memory', 'profiles'],
  queryFn: async ({ signal }) => (await client.call('memory.profile.list', {}, { signal })).profiles,
});

export const memoriesQuery = (profile: string) =>
  queryOptions({
    queryKey: ['memory', 'list', profile],
    queryFn: async ({ signal }) => {
      const { memories } = await client.call('memory.list', { profile, limit: LISTED }, { signal });
      return memories as unknown as readonly KnownMemory[];
    },
  });

export const categoriesQuery = queryOptions({
  queryKey: ['memory', 'categories'],
  queryFn: async ({ signal }) => (await client.call('memory.categories', {}, { signal })).categories,
});

export const memoryQuery = (profile: string, id: string) =>
  queryOptions({
    queryKey: ['memory', 'one', profile, id],
    queryFn: async ({ signal }) =>
      (await client.call('memory.get', { profile, id }, { signal })) as unknown as KnownMemory,
  });

export const seenQuery = (profile: string, id: string) =>
  queryOptions({
    queryKey: ['memory', 'seen', profile, id],
    queryFn: async ({ signal }) => (await client.call('memory.seen', { profile, id }, { signal })).accesses,
  });

/** Each with the item of the inbox in which it waits, where this credential may see that. */
export const proposalsQuery = (profile: string) =>
  queryOptions({
    queryKey: ['memory', 'proposals', profile],
    queryFn: async ({ signal }) => {
      const [{ proposals }, { items }] = await Promise.all([
        client.call('memory.proposals.list', { profile, status: 'pending', limit: LISTED }, { signal }),
        client.call('inbox.list', { kind: 'memory_proposal', limit: LISTED }, { signal }),
      ]);
      const itemOf = new Map(items.map(({ id, subject }) => [subject.id, id]));
      return (proposals as unknown as WaitingProposal[]).map((proposal) => ({
        proposal,
        item: itemOf.get(proposal.id),
      }));
    },
  });

export const policiesQuery = (profile: string) =>
  queryOptions({
    queryKey: ['memory', 'policies', profile],
    queryFn: async ({ signal }) =>
      (await client.call('memory.policies', { profile }, { signal }))
        .policies as unknown as readonly ConsentPolicy[],
  });

export const receiptsQuery = (profile: string) =>
  queryOptions({
    queryKey: ['memory', 'access', profile],
    queryFn: async ({ signal }) =>
      (await client.call('memory.access', { profile, limit: 100 }, { signal }))
        .receipts as unknown as readonly Receipt[],
  });
