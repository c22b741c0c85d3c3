import type { Handlers } from '../../../spine/operations/handler.ts';
import { checkedContent } from '../content.ts';
import { plainMemory } from '../memories/keep.ts';
import type { MemoryDeps } from '../ports.ts';
import { ownProfile } from '../profile-access.ts';
import { merge, undoMerge } from './merge.ts';
import type { consolidationOperations } from './operations.ts';
import { promotionSuggestions } from './promote.ts';
import { mergeCandidates, similarBody } from './similar.ts';
import { type Merge, selectMergesOf } from './store.ts';

export function createConsolidationHandlers(deps: MemoryDeps): Handlers<typeof consolidationOperations> {
  return {
    'memory.similar': async (reader, { input: { path, query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      const { candidates, draft } = await mergeCandidates(reader, deps, profile, path.id);
      return { body: { candidates: candidates.map(similarBody), draft } };
    },
    'memory.merge': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, body.profile);
      const content = body.content === undefined ? undefined : checkedContent(body.content);
      return { body: mergeBody(await merge(uow, deps, profile, principal.actor, body.memory_ids, content)) };
    },
    'memory.merges': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      return { body: { merges: (await selectMergesOf(reader, profile.did)).map(mergeBody) } };
    },
    'memory.unmerge': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, query.profile);
      return { body: mergeBody(await undoMerge(uow, deps, profile, principal.actor, path.id)) };
    },
    'memory.promotions': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      const found = await promotionSuggestions(reader, deps, profile);
      const suggestions = found.map(({ memory, verdict, similar }) => ({
        ...plainMemory(memory),
        action: verdict.action,
        signs: { ...verdict.signs },
        similar: [...similar],
      }));
      return { body: { suggestions } };
    },
  };
}

const mergeBody = (merge: Merge) => ({
  merge_id: merge.mergeId,
  memory_id: merge.memoryId,
  sources: [...merge.sources],
  merged_at: merge.mergedAt,
  undone_at: merge.undoneAt,
});
