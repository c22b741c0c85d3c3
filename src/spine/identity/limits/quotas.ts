import { isOwner } from '../access.ts';
import { identityErrors } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { QuotaSettings } from '../settings.ts';
import type { Limiter } from './limiter.ts';

/** Charges one write of so many bytes; throws `quota_exceeded`. A request that is refused later stays charged. */
export type ChargeWrite = (principal: Principal, bytes: number) => Promise<void>;

const DAY_SECONDS = 86_400;
/** What a process reserves and does not use before it ends is lost for the day, so it reserves little at a time. */
const SHARE = 1_000;

/** Rates keep a caller from asking too often; quotas, from filling the disk at any rate. The owner has none. */
export function createQuotas(limiter: Limiter, { writesPerDay, bytesPerDay }: QuotaSettings): ChargeWrite {
  async function take(
    principal: Principal,
    what: 'writes' | 'bytes',
    limit: number,
    cost: number,
  ): Promise<void> {
    if (limit === 0 || cost === 0) return;
    const { kind, id } = principal.credential;
    const taken = await limiter.take(`quota:${what}:${kind}:${id}`, {
      limit,
      windowSeconds: DAY_SECONDS,
      cost,
      share: SHARE,
    });
    if (taken.granted) return;
    throw identityErrors.quota_exceeded({
      retryAfterSeconds: taken.retryAfterSeconds,
      details: { quota: what, per_day: limit },
    });
  }

  return async (principal, bytes) => {
    if (isOwner(principal)) return;
    await take(principal, 'writes', writesPerDay, 1);
    await take(principal, 'bytes', bytesPerDay, bytes);
  };
}
