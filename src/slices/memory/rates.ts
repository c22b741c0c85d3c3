import { addUsed, selectUsed } from '../../spine/identity/limits/window-store.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import { agentDidOf } from './caller.ts';
import type { Grant } from './consent/rules/grant.ts';
import { memoryErrors } from './errors.ts';
import type { MemoryDeps } from './ports.ts';
import { limitOf, limitsOfAll, type Rate, type RateLimit, type RequestKind } from './rate-limits.ts';

export type Rates = ReturnType<typeof createRates>;

/**
 * Counted before anything is looked up, so that a refusal says the same of every profile and of none. A person is not
 * counted by kind: these limits are for agents.
 */
export function createRates({ limiter, clock, settings = {} }: MemoryDeps) {
  async function take(key: string, limit: RateLimit): Promise<Rate> {
    const taken = await limiter.take(key, limit);
    if (!taken.granted) throw tooMany(limit, taken.retryAfterSeconds);
    return { ...limit, remaining: taken.remaining, resetsAt: secondsFromNow(taken.resetSeconds) };
  }

  function tooMany({ limit, windowSeconds }: RateLimit, retryAfterSeconds: number): Error {
    return memoryErrors.A2P005({
      retryAfterSeconds,
      details: {
        limit,
        window_seconds: windowSeconds,
        remaining: 0,
        reset: secondsFromNow(retryAfterSeconds),
      },
    });
  }

  const secondsFromNow = (seconds: number) => Math.floor(clock.now() / 1_000_000) + seconds;

  return {
    /** Any request on a2p's own wire. */
    async takeRequest({ actor }: Principal): Promise<Rate[]> {
      const rates: Rate[] = [];
      for (const limit of limitsOfAll(settings))
        rates.push(await take(`memory:a2p:${agentDidOf(actor)}`, limit));
      return rates;
    },

    async takeKind({ actor }: Principal, kind: RequestKind): Promise<Rate[]> {
      if (actor.type === 'human') return [];
      return [await take(`memory:${kind}:${agentDidOf(actor)}`, limitOf(kind, settings))];
    },

    /** What the person's own policy allows: counted in the unit of the access, so that only what was given counts. */
    async takeOfPolicy(uow: UnitOfWork, profileDid: string, agentDid: string, grant: Grant): Promise<void> {
      const { rateLimit, policyId } = grant;
      if (!rateLimit) return;
      const length = rateLimit.windowSeconds * 1_000_000;
      const now = clock.now();
      const start = Math.floor(now / length) * length;
      const window = { key: `memory:policy:${profileDid}:${policyId}:${agentDid}`, length, start };
      await uow.lock(`rate:${window.key}`);
      if ((await selectUsed(uow, window)) < rateLimit.limit) return addUsed(uow, window, 1);
      throw tooMany(rateLimit, Math.ceil((start + length - now) / 1_000_000));
    },
  };
}
