import type { Handlers } from '../../../spine/operations/handler.ts';
import { selectAccessesTo } from '../consent/store.ts';
import { createEntrance } from '../profile-access.ts';
import type { MemoryService } from '../slice.ts';
import { foundBody, plainMemory } from '../views.ts';
import type { readingOperations } from './operations.ts';

export function createReadingHandlers(service: MemoryService): Handlers<typeof readingOperations> {
  const { memories, rates, reading } = service;
  const { db } = service.deps;
  const { enter, ownProfile } = createEntrance(service);

  return {
    'memory.list': async (reader, { input: { query }, principal, requestId }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const found = await reading.find(
        reader,
        profile,
        'all',
        {
          limit: query.limit ?? 50,
          offset: query.offset ?? 0,
          asOf: query.as_of,
          requestId,
          ...(query.type && { types: [query.type] }),
          ...(query.category !== undefined && { categories: [query.category] }),
          ...(query.status && { statuses: [query.status] }),
        },
        undefined,
      );
      return { body: { memories: found.map(foundBody) } };
    },
    'memory.get': async (reader, { input: { path, query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const memory = await memories.get(reader, profile, path.id);
      return { body: { ...plainMemory(memory), ...(memory.item.pinned && { pinned: true }) } };
    },
    'memory.recall': async ({ input: { query }, principal, requestId }) => {
      await rates.takeKind(principal, 'read');
      const { profile, caller } = await db.read((reader) => enter(reader, principal, query.profile));
      const found = await reading.read(profile, caller, {
        query: query.query,
        limit: query.limit ?? 10,
        types: query.types,
        categories: query.categories,
        context: query.context,
        asOf: query.as_of,
        session: query.session_id,
        requestId,
      });
      return { body: { memories: found.map(foundBody) } };
    },
    'memory.seen': async (reader, { input: { path, query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      await memories.get(reader, profile, path.id);
      const seen = await selectAccessesTo(reader, profile.did, path.id, 200);
      return {
        body: {
          accesses: seen.map(({ agentDid, at, receiptId, requestId, purpose }) => ({
            agent_did: agentDid,
            at,
            receipt_id: receiptId,
            request_id: requestId,
            purpose: purpose?.type ?? 'other',
          })),
        },
      };
    },
  };
}
