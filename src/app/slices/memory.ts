import { ed25519 } from '../../platform/index.ts';
import { memoryMigrations } from '../../slices/memory/migrations.ts';
import { a2pOperations, memoryOperations } from '../../slices/memory/operations.ts';
import { createMemorySlice } from '../../slices/memory/slice.ts';
import { redactText } from '../../slices/relay/spans/redact.ts';
import { forgetAnswersWith } from '../../spine/dispatch/idempotency-store.ts';
import { bind } from '../../spine/dispatch/registry.ts';
import { guardedPost } from '../../spine/outbound/guarded-post.ts';
import type { Slice } from '../slice.ts';

export const memorySlice: Slice = {
  migrations: memoryMigrations,
  compose({ settings, db, clock, random, hasher, identity, inbox, jobs, search }) {
    const memory = createMemorySlice({
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
      hasSecret: (text) => redactText(text) !== text,
      forgetRequests: (uow, ids) =>
        forgetAnswersWith(
          uow,
          ids.map((id) => JSON.stringify(id)),
        ),
      settings: settings.a2p,
      post: (url, body, headers, signal) => guardedPost(url, body, headers, signal),
    });
    return {
      operations: [
        ...bind(memoryOperations, memory.handlers),
        ...bind(a2pOperations, memory.a2pHandlers, memory.a2pMeter),
      ],
      jobs: memory.jobs,
      signed: memory.signed,
      upkeep: memory.upkeep,
      offers: { recall: memory.recall, capture: memory.capture },
    };
  },
};
