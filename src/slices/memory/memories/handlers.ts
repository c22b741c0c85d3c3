import { formatMillis } from '../../../kernel/instant.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { impliedType } from '../categories.ts';
import { memoryErrors } from '../errors.ts';
import { checkedContent } from '../memory-text.ts';
import { createEntrance } from '../profile-access.ts';
import type { MemoryService } from '../slice.ts';
import { memoryRefBody } from '../views.ts';
import { classify } from './classify.ts';
import type { keepingOperations } from './operations.ts';

export function createKeepingHandlers(service: MemoryService): Handlers<typeof keepingOperations> {
  const { memories } = service;
  const { clock } = service.deps;
  const { ownProfile } = createEntrance(service);

  return {
    'memory.add': async (uow, { input: { body }, principal }) => {
      const { profile: did, content, memory_type: given, category, ...rest } = body;
      const profile = await ownProfile(uow, principal, did);
      await memories.requireCategory(uow, profile, category);
      const implied = impliedType(category);
      if (given !== undefined && implied !== undefined && given !== implied)
        throw memoryErrors.A2P024({ pointer: '/memory_type' });
      const id = memories.newId();
      const at = formatMillis(clock.now());
      const text = checkedContent(content);
      const document = fromPlain({
        id,
        content: text,
        category,
        source: { type: 'user_manual', timestamp: at },
        confidence: 1,
        status: 'approved',
        ...rest,
        metadata: { approvedAt: at, useCount: 0, initialConfidence: 1 },
      }) as JsonObject;
      const type = given ?? implied ?? classify({ content: text }).type;
      await memories.create(uow, profile, principal.actor, { id, type, document });
      return { body: memoryRefBody(await memories.get(uow, profile, id)) };
    },
    'memory.edit': async (uow, { input: { path, body }, principal }) => {
      const { profile: did, content, category, ...rest } = body;
      const profile = await ownProfile(uow, principal, did);
      await memories.requireCategory(uow, profile, category);
      const edit = {
        ...(content !== undefined && { content: checkedContent(content) }),
        ...(category !== undefined && { category }),
        ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
      };
      return { body: memoryRefBody(await memories.edit(uow, profile, path.id, principal.actor, edit)) };
    },
    'memory.reclassify': async (uow, { input: { path, body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      return {
        body: memoryRefBody(
          await memories.reclassify(uow, profile, path.id, principal.actor, body.memory_type, 'user'),
        ),
      };
    },
    'memory.pin': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      return { body: memoryRefBody(await memories.pin(uow, profile, path.id, principal.actor, true)) };
    },
    'memory.unpin': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      return { body: memoryRefBody(await memories.pin(uow, profile, path.id, principal.actor, false)) };
    },
    'memory.confirm': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      return { body: memoryRefBody(await memories.confirm(uow, profile, path.id, principal.actor)) };
    },
    'memory.archive': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      return { body: memoryRefBody(await memories.archive(uow, profile, path.id, principal.actor)) };
    },
    'memory.restore': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      return { body: memoryRefBody(await memories.restore(uow, profile, path.id, principal.actor)) };
    },
    'memory.classify': async ({ input: { body } }) => {
      const { alternatives, ...rest } = classify(body);
      return {
        body: {
          ...rest,
          alternatives: alternatives.map(({ type, rule }) => ({ type, ...(rule !== undefined && { rule }) })),
        },
      };
    },
  };
}
