import type { Arguments, Operations, Result } from '@baton-ledger/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { flag, list, maybeNumber, maybeText, number, record, shape, text, texts } from '../api/shape.ts';

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
export type ConsentPolicy = ReturnType<typeof readPolicy> & {
  /** All of it: what this page has no field for must outlive a change. */
  readonly document: Readonly<Record<string, unknown>>;
};

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

export const LISTED = 50;
const MOST_PAGES = 20;
const LARGEST_PAGE = 200;

export const profilesQuery = queryOptions({
  queryKey: ['memory', 'profiles'],
  queryFn: async ({ signal }) => (await client.call('memory.profile.list', {}, { signal })).profiles,
});

/** How much the profile holds, on all pages together. */
export const memoryCountsQuery = (profile: string) =>
  queryOptions({
    queryKey: ['memory', 'counts', profile],
    queryFn: ({ signal }) => client.call('memory.counts', { profile }, { signal }),
  });

export type MemoryType = 'semantic' | 'procedural' | 'episodic';

export const memoriesQuery = (profile: string, type: MemoryType, offset: number) =>
  queryOptions({
    queryKey: ['memory', 'list', profile, type, offset],
    queryFn: async ({ signal }) => {
      const asked = { profile, type, limit: LISTED, offset };
      return (await client.call('memory.list', asked, { signal })).memories.map(known);
    },
    placeholderData: keepPreviousData,
  });

/** By words and meaning, best first. Its own person's look is not recorded as anybody's use. */
export const foundMemoriesQuery = (profile: string, words: string) =>
  queryOptions({
    queryKey: ['memory', 'found', profile, words],
    queryFn: async ({ signal }) =>
      (await client.call('memory.recall', { profile, query: words, limit: LISTED }, { signal })).memories.map(
        known,
      ),
    placeholderData: keepPreviousData,
    enabled: words !== '',
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
export const proposalsQuery = (profile: string, offset: number) =>
  queryOptions({
    queryKey: ['memory', 'proposals', profile, offset],
    queryFn: async ({ signal }) => {
      const asked = { profile, status: 'pending', limit: LISTED, offset };
      const { proposals } = await client.call('memory.proposals.list', asked, { signal });
      const waiting = proposals.map(readProposal);
      const items = await itemsOf(new Set(waiting.map(({ id }) => id)), signal);
      return waiting.map((proposal) => ({ proposal, item: items.get(proposal.id) }));
    },
    placeholderData: keepPreviousData,
  });

/** The open item of each proposal. Both lists begin with the oldest, so the first pages mostly have them. */
async function itemsOf(proposals: ReadonlySet<string>, signal: AbortSignal): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && found.size < proposals.size; page += 1) {
    const asked: Arguments<Operations['inbox.list']> = { kind: 'memory_proposal', limit: LARGEST_PAGE };
    const more = cursor === undefined ? asked : { ...asked, cursor };
    const listed: Result<Operations['inbox.list']> = await client.call('inbox.list', more, { signal });
    for (const { id, subject } of listed.items) if (proposals.has(subject.id)) found.set(subject.id, id);
    if (listed.next === null) break;
    cursor = listed.next;
  }
  return found;
}

export const policiesQuery = (profile: string) =>
  queryOptions({
    queryKey: ['memory', 'policies', profile],
    queryFn: async ({ signal }) =>
      (await client.call('memory.policies', { profile }, { signal })).policies.map((document) => ({
        ...readPolicy(document),
        document: record(document),
      })),
  });

export const receiptsQuery = (profile: string, offset: number) =>
  queryOptions({
    queryKey: ['memory', 'access', profile, offset],
    queryFn: async ({ signal }) =>
      (await client.call('memory.access', { profile, limit: LISTED, offset }, { signal })).receipts.map(
        readReceipt,
      ),
    placeholderData: keepPreviousData,
  });
