import { toPlain } from '../../../kernel/json/plain.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { foundBy, packedBody } from '../../../spine/search/packed-body.ts';
import { selectAccessesTo } from '../consent/store.ts';
import type { MemoryDeps } from '../ports.ts';
import { accessProfile, ownProfile } from '../profile-access.ts';
import { takeKind } from '../rate-limits.ts';
import {
  archiveMemory,
  confirmMemory,
  editMemory,
  pinMemory,
  reclassifyMemory,
  restoreMemory,
} from './change.ts';
import { classify } from './classify.ts';
import { countProfile } from './counts-store.ts';
import { addMemory, getMemory, type Memory, plainMemory } from './keep.ts';
import type { memoriesOperations } from './operations.ts';
import { packMemories } from './pack-memories.ts';
import { type FoundMemory, findMemories, readMemories } from './read.ts';

export function createMemoriesHandlers(deps: MemoryDeps): Handlers<typeof memoriesOperations> {
  return {
    'memory.add': async (uow, { input: { body }, principal }) => {
      const { profile: did, memory_type: type, ...memory } = body;
      const profile = await ownProfile(uow, deps, principal, did);
      return memoryRef(await addMemory(uow, deps, profile, principal.actor, { ...memory, type }));
    },
    'memory.edit': async (uow, { input: { path, body }, principal }) => {
      const { profile: did, ...edit } = body;
      const profile = await ownProfile(uow, deps, principal, did);
      return memoryRef(await editMemory(uow, deps, profile, principal.actor, path.id, edit));
    },
    'memory.reclassify': async (uow, { input: { path, body }, principal }) => {
      const { profile: did, memory_type: to } = body;
      const profile = await ownProfile(uow, deps, principal, did);
      return memoryRef(await reclassifyMemory(uow, deps, profile, principal.actor, path.id, to, 'user'));
    },
    'memory.pin': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, query.profile);
      return memoryRef(await pinMemory(uow, deps, profile, principal.actor, path.id, true));
    },
    'memory.unpin': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, query.profile);
      return memoryRef(await pinMemory(uow, deps, profile, principal.actor, path.id, false));
    },
    'memory.confirm': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, query.profile);
      return memoryRef(await confirmMemory(uow, deps, profile, principal.actor, path.id));
    },
    'memory.archive': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, query.profile);
      return memoryRef(await archiveMemory(uow, deps, profile, principal.actor, path.id));
    },
    'memory.restore': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, query.profile);
      return memoryRef(await restoreMemory(uow, deps, profile, principal.actor, path.id));
    },
    'memory.classify': async ({ input: { body } }) => {
      const { alternatives, ...rest } = classify(body);
      const others = alternatives.map(({ type, rule }) => ({ type, ...(rule !== undefined && { rule }) }));
      return { body: { ...rest, alternatives: others } };
    },
    'memory.list': async (reader, { input: { query }, principal, requestId }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      const found = await findMemories(reader, deps, profile, 'all', {
        limit: query.limit ?? 50,
        offset: query.offset ?? 0,
        asOf: query.as_of,
        requestId,
        types: query.type && [query.type],
        categories: query.category === undefined ? undefined : [query.category],
        statuses: query.status && [query.status],
      });
      return { body: { memories: found.map(foundBody) } };
    },
    'memory.counts': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      return { body: await countProfile(reader, profile.did, deps.clock.now()) };
    },
    'memory.get': async (reader, { input: { path, query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      const memory = await getMemory(reader, deps, profile, path.id);
      return { body: { ...plainMemory(memory), ...(memory.item.pinned && { pinned: true }) } };
    },
    'memory.recall': async ({ input: { query }, principal, requestId }) => {
      await takeKind(deps, principal, 'read');
      const { max_tokens: maxTokens } = query;
      const { profile, caller } = await deps.db.read((reader) =>
        accessProfile(reader, deps, principal, query.profile),
      );
      let packed: ReturnType<typeof packMemories> | undefined;
      const chosen = (open: readonly FoundMemory[], tokens: number) => {
        packed = packMemories(open, { maxTokens: tokens, order: query.order });
        return packed.used.map((each) => each.found);
      };
      const found = await readMemories(deps, profile, caller, {
        query: query.query,
        limit: query.limit ?? 10,
        types: query.types,
        categories: query.categories,
        context: query.context,
        asOf: query.as_of,
        session: query.session_id,
        requestId,
        ...(maxTokens !== undefined && { choose: (open) => chosen(open, maxTokens) }),
      });
      return {
        body: packed ? { memories: [], packed: packedBody(packed) } : { memories: found.map(foundBody) },
      };
    },
    'memory.seen': async (reader, { input: { path, query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      await getMemory(reader, deps, profile, path.id);
      const found = await selectAccessesTo(reader, profile.did, path.id, 200);
      const accesses = found.map(({ agentDid, at, receiptId, requestId, purpose }) => ({
        agent_did: agentDid,
        at,
        receipt_id: receiptId,
        request_id: requestId,
        purpose: purpose?.type ?? 'other',
      }));
      return { body: { accesses } };
    },
  };
}

/** Ids and states only: responses to writes may be stored for their idempotency key. */
const memoryRef = ({ item }: Memory) => ({
  body: { id: item.memoryId, memory_type: item.class.type, status: item.status },
});

const foundBody = ({ memory, document, confidence, suggests, score, hit }: FoundMemory) => ({
  type: memory.item.class.type,
  memory: toPlain(document) as Record<string, unknown>,
  confidence: Math.round(confidence * 10_000) / 10_000,
  ...(suggests !== 'nothing' && { suggests }),
  ...(score !== undefined && { score }),
  ...(hit && { found_by: foundBy(hit.reasons), snippet: hit.best.snippet }),
  ...(memory.item.pinned && { pinned: true }),
});
