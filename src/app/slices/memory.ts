import { forgetAnswersWith, recallAnswer, rememberAnswer } from '../../dispatch/idempotency.ts';
import { bind } from '../../dispatch/registry.ts';
import { createA2pHandlers } from '../../memory/a2p/handlers.ts';
import { createMemoryHandlers } from '../../memory/handlers.ts';
import { memoryMigrations } from '../../memory/migrations.ts';
import { a2pOperations, memoryOperations } from '../../memory/operations.ts';
import { isSignatureHeader } from '../../memory/rules/request-signature.ts';
import { WEBHOOK_JOB } from '../../memory/service/events.ts';
import { createMemoryService } from '../../memory/service/service.ts';
import { createMemoryUpkeep } from '../../memory/service/upkeep.ts';
import { guardedPost } from '../../outbound/guarded-post.ts';
import { ed25519 } from '../../platform/index.ts';
import type { Slice } from '../slice.ts';

export const memorySlice: Slice = {
  migrations: memoryMigrations,
  compose({ settings, db, clock, random, hasher, identity, inbox, jobs, search }) {
    const service = createMemoryService({
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
      forgetRequests: (uow, ids) =>
        forgetAnswersWith(
          uow,
          ids.map((id) => JSON.stringify(id)),
        ),
      async once(uow, use, change) {
        const first = await recallAnswer(uow, use);
        if (first) return { body: JSON.parse(first.body), replayed: true };
        const body = await change();
        await rememberAnswer(uow, use, { status: 200, headers: {}, body: JSON.stringify(body) }, clock.now());
        return { body, replayed: false };
      },
      settings: settings.a2p,
      post: (url, body, headers, signal) => guardedPost(url, body, headers, signal),
    });
    return {
      operations: [
        ...bind(memoryOperations, createMemoryHandlers(service)),
        ...bind(a2pOperations, createA2pHandlers(service)),
      ],
      jobs: { [WEBHOOK_JOB]: service.webhooks.job },
      signed: { recognises: isSignatureHeader, authenticate: service.authenticate },
      upkeep: createMemoryUpkeep(service),
    };
  },
};
