import type { Handlers } from '../../../spine/operations/handler.ts';
import { contentOf } from '../memories/rules.ts';
import { checkedContent } from '../memory-text.ts';
import { createEntrance } from '../profile-access.ts';
import type { MemoryService } from '../slice.ts';
import { candidateBody, mergeBody, plainMemory } from '../views.ts';
import type { consolidationOperations } from './operations.ts';

export function createConsolidationHandlers(
  service: MemoryService,
): Handlers<typeof consolidationOperations> {
  const { memories, merges, promotion } = service;
  const { ownProfile } = createEntrance(service);

  return {
    'memory.similar': async (reader, { input: { path, query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const memory = await memories.get(reader, profile, path.id);
      const alike = await merges.similar(reader, profile, contentOf(memory.document), [path.id], 20, [
        memory.item.class.classId,
      ]);
      const draft = merges.draft([memory, ...alike.map((each) => each.memory)]);
      return { body: { candidates: alike.map(candidateBody), draft } };
    },
    'memory.merge': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      const content = body.content === undefined ? undefined : checkedContent(body.content);
      return { body: mergeBody(await merges.merge(uow, profile, principal.actor, body.memory_ids, content)) };
    },
    'memory.merges': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      return { body: { merges: (await merges.list(reader, profile)).map(mergeBody) } };
    },
    'memory.unmerge': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      return { body: mergeBody(await merges.undo(uow, profile, principal.actor, path.id)) };
    },
    'memory.promotions': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const found = await promotion.suggestions(reader, profile);
      return {
        body: {
          suggestions: found.map(({ memory, verdict, similar }) => ({
            ...plainMemory(memory),
            action: verdict.action,
            signs: { ...verdict.signs },
            similar: [...similar],
          })),
        },
      };
    },
  };
}
