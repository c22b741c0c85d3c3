import type { Clock } from '../../kernel/clock.ts';
import { addUsed, selectUsed } from '../../spine/identity/limits/window-store.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import type { Grant } from './consent/rules/grant.ts';
import { memoryErrors } from './errors.ts';
import type { MemoryDeps, MemorySettings } from './ports.ts';
import { agentDidOf } from './profile-access.ts';

export interface RateLimit {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** A limit after a request was counted against it. */
export interface Rate extends RateLimit {
  readonly remaining: number;
  /** Seconds since 1970. */
  readonly resetsAt: number;
}

/** An agent has one limit for all its a2p requests together, and one for each kind. */
export type RequestKind = 'read' | 'write' | 'consent';

/** Sixty a minute and half as much again in a burst; a thousand an hour. */
const ALL_REQUESTS: readonly RateLimit[] = [
  { limit: 90, windowSeconds: 60 },
  { limit: 1000, windowSeconds: 3600 },
];

const BY_KIND: Readonly<Record<RequestKind, RateLimit>> = {
  read: { limit: 100, windowSeconds: 3600 },
  write: { limit: 50, windowSeconds: 3600 },
  consent: { limit: 30, windowSeconds: 3600 },
};

function limitOf(kind: RequestKind, { readsPerHour }: MemorySettings): RateLimit {
  const limit = BY_KIND[kind];
  return kind === 'read' && readsPerHour !== undefined ? { ...limit, limit: readsPerHour } : limit;
}

/** Raised along with the reads, where those are set above the protocol's limit. */
function limitsOfAll({ readsPerHour = 0 }: MemorySettings): readonly RateLimit[] {
  return ALL_REQUESTS.map(({ limit, windowSeconds }) => ({
    limit: Math.max(limit, readsPerHour),
    windowSeconds,
  }));
}

/** Counts any request on a2p's own wire. Call it before looking anything up: a refusal must not depend on the profile. */
export async function takeRequest(deps: MemoryDeps, { actor }: Principal): Promise<Rate[]> {
  const rates: Rate[] = [];
  for (const limit of limitsOfAll(deps.settings ?? {}))
    rates.push(await take(deps, `memory:a2p:${agentDidOf(actor)}`, limit));
  return rates;
}

/** Counts a request of one kind, before looking anything up. People are not counted: these limits are for agents. */
export async function takeKind(deps: MemoryDeps, { actor }: Principal, kind: RequestKind): Promise<Rate[]> {
  if (actor.type === 'human') return [];
  return [await take(deps, `memory:${kind}:${agentDidOf(actor)}`, limitOf(kind, deps.settings ?? {}))];
}

/** Counts against the limit of the person's own policy, in the unit of the access: only what was granted counts. */
export async function takeOfPolicy(
  uow: UnitOfWork,
  { clock }: MemoryDeps,
  profileDid: string,
  agentDid: string,
  { rateLimit, policyId }: Grant,
): Promise<void> {
  if (!rateLimit) return;
  const length = rateLimit.windowSeconds * 1_000_000;
  const now = clock.now();
  const start = Math.floor(now / length) * length;
  const window = { key: `memory:policy:${profileDid}:${policyId}:${agentDid}`, length, start };
  await uow.lock(`rate:${window.key}`);
  if ((await selectUsed(uow, window)) < rateLimit.limit) return addUsed(uow, window, 1);
  throw tooMany(clock, rateLimit, Math.ceil((start + length - now) / 1_000_000));
}

async function take({ limiter, clock }: MemoryDeps, key: string, limit: RateLimit): Promise<Rate> {
  const taken = await limiter.take(key, limit);
  if (!taken.granted) throw tooMany(clock, limit, taken.retryAfterSeconds);
  return { ...limit, remaining: taken.remaining, resetsAt: secondsFromNow(clock, taken.resetSeconds) };
}

function tooMany(clock: Clock, { limit, windowSeconds }: RateLimit, retryAfterSeconds: number): Error {
  const reset = secondsFromNow(clock, retryAfterSeconds);
  return memoryErrors.A2P005({
    retryAfterSeconds,
    details: { limit, window_seconds: windowSeconds, remaining: 0, reset },
  });
}

function secondsFromNow(clock: Clock, seconds: number): number {
  return Math.floor(clock.now() / 1_000_000) + seconds;
}
