import type { Operations, Result } from '@baton-ledger/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { flag, list, maybeNumber, maybeText, number, shape, text, texts } from '../api/shape.ts';

export type Profile = Result<Operations['memory.profile.list']>['profiles'][number];

const readMemory = shape({
  id: text,
  content: text,
  category: maybeText,
  sensitivity: maybeText,
  status: text,
  source: shape({ type: maybeText, timestamp: maybeText, agentDid: maybeText }),
  metadata: shape({ useCount: maybeNumber, lastUsed: maybeText, approvedAt: maybeText }),
});

const readKnown = shape({
  type: text,
  memory: readMemory,
  confidence: number,
  suggests: maybeText,
  pinned: flag,
});
export type KnownMemory = ReturnType<typeof readKnown> & { readonly document: unknown };

function known(given: { readonly memory: unknown }): KnownMemory {
  return { ...readKnown(given), document: given.memory };
}

/** Everything but its id and its agents may be left out: `deny` is, by the documented `memory allow`. */
const readPolicy = shape({
  id: text,
  name: maybeText,
  agentPattern: maybeText,
  agentDids: texts,
  permissions: texts,
  allow: texts,
  deny: texts,
});
export type ConsentPolicy = ReturnType<typeof readPolicy>;

const readReceipt = shape({
  receiptId: text,
  agentDid: text,
  grantedScopes: texts,
  grantedAt: text,
  expiresAt: maybeText,
  revokedAt: maybeText,
  permissions: texts,
  accessLog: list(shape({ timestamp: text, action: text })),
});
export type Receipt = ReturnType<typeof readReceipt>;

const readProposal = shape({
  id: text,
  content: text,
  category: maybeText,
  memory_type: text,
  agentDid: text,
  proposedAt: text,
  expiresAt: text,
});

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
      return memories.map(known);
    },
  });

export const categoriesQuery = queryOptions({
  queryKey: ['memory', 'categories'],
  queryFn: async ({ signal }) => (await client.call('memory.categories', {}, { signal })).categories,
});

export const memoryQuery = (profile: string, id: string) =>
  queryOptions({
    queryKey: ['memory', 'one', profile, id],
    queryFn: async ({ signal }) => known(await client.call('memory.get', { profile, id }, { signal })),
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
      return proposals.map(readProposal).map((proposal) => ({
        proposal,
        item: itemOf.get(proposal.id),
      }));
    },
  });

export const policiesQuery = (profile: string) =>
  queryOptions({
    queryKey: ['memory', 'policies', profile],
    queryFn: async ({ signal }) =>
      (await client.call('memory.policies', { profile }, { signal })).policies.map(readPolicy),
  });

export const receiptsQuery = (profile: string) =>
  queryOptions({
    queryKey: ['memory', 'access', profile],
    queryFn: async ({ signal }) =>
      (await client.call('memory.access', { profile, limit: 100 }, { signal })).receipts.map(readReceipt),
  });
