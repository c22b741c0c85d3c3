import { ed25519 } from '../../platform/index.ts';
import { memoryMigrations } from '../../slices/memory/migrations.ts';
import { a2pOperations, memoryOperations } from '../../slices/memory/operations.ts';
import { createMemorySlice } from '../../slices/memory/slice.ts';
import { redactText } from '../../slices/relay/spans/redact.ts';
import { forgetAnswersWith } from '../../spine/dispatch/idempotency-store.ts';
import { bind } from '../../spine/dispatch/registry.ts';
import { type ChatModel, createOllamaChat, createOpenAiChat } from '../../spine/outbound/chat-model.ts';
import { guardedPost } from '../../spine/outbound/guarded-post.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import { describeError } from '../log.ts';
import type { Settings } from '../settings.ts';
import type { Slice } from '../slice.ts';

export const memorySlice: Slice = {
  migrations: memoryMigrations,
  compose({ settings, log, db, clock, random, hasher, identity, inbox, jobs, search }) {
    const deps = {
      db,
      clock,
      random,
      hasher,
      record: identity.record,
      inbox,
      jobs,
      search,
      limiter: identity.limiter,
      verify: ed25519.verify,
      hasSecret: (text: string) => redactText(text) !== text,
      forgetRequests: (uow: UnitOfWork, ids: readonly string[]) =>
        forgetAnswersWith(
          uow,
          ids.map((id) => JSON.stringify(id)),
        ),
      settings: settings.a2p,
      post: guardedPost,
    };
    const onError = (error: unknown) =>
      log.warn({ error: describeError(error) }, 'the model that reads after the rules did not');
    const model = chooseProposer(settings);
    const memory = createMemorySlice(deps, model && { model, onError });
    return {
      operations: [
        ...bind(memoryOperations, memory.handlers),
        ...bind(a2pOperations, memory.a2pHandlers, memory.a2pMeter),
      ],
      jobs: memory.jobs,
      signed: memory.signed,
      upkeep: memory.upkeep,
      close: memory.close,
      offers: { recall: memory.recall, capture: memory.capture },
    };
  },
};

function chooseProposer({ proposer }: Settings): ChatModel | undefined {
  if (!proposer) return undefined;
  return proposer.kind === 'ollama' ? createOllamaChat(proposer) : createOpenAiChat(proposer);
}
