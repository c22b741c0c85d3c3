import type { BeforeCall } from '../../../spine/operations/handler.ts';
import type { MemoryDeps } from '../ports.ts';
import { type Rate, type RequestKind, takeKind, takeRequest } from '../rate-limits.ts';
import type { a2pOperations } from './operations.ts';

const VERSION = { 'a2p-version': '0.1' } as const;

/** What has no kind counts only against the limit of all requests together. */
const KINDS: { readonly [Name in keyof typeof a2pOperations]?: RequestKind } = {
  'a2p.profile.get': 'read',
  'a2p.memories.list': 'read',
  'a2p.access.request': 'consent',
  'a2p.proposals.review': 'write',
  'a2p.proposals.withdraw': 'write',
};

/** Counts a request before it is looked at, a repeated one too, and reports on the response how many are left. */
export function createMeter(deps: MemoryDeps): BeforeCall {
  return async ({ name, scope }, principal) => {
    if (scope === 'open') return VERSION;
    const rates = await takeRequest(deps, principal);
    const kind = KINDS[name as keyof typeof KINDS];
    if (kind) rates.push(...(await takeKind(deps, principal, kind)));
    return { ...VERSION, ...rateHeaders(rates) };
  };
}

/** a2p's headers for the limit that will refuse first. */
function rateHeaders(rates: readonly Rate[]): Readonly<Record<string, string>> {
  const [tightest] = [...rates].sort((a, b) => a.remaining - b.remaining);
  if (!tightest) return {};
  return {
    'x-ratelimit-limit': String(tightest.limit),
    'x-ratelimit-remaining': String(tightest.remaining),
    'x-ratelimit-reset': String(tightest.resetsAt),
  };
}
