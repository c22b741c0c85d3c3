import type { Clock, Micros } from '../../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { addUsed, deleteEndedWindows, selectUsed, type Window } from './window-store.ts';

export interface Limit {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Defaults to one. */
  readonly cost?: number;
  /** A process reserves this part of what is left at once; an eighth unless said otherwise. */
  readonly share?: number;
}

export type LimitResult =
  | {
      readonly granted: true;
      /** Left in the window as far as this process knows; other processes may have used more since. */
      readonly remaining: number;
      readonly resetSeconds: number;
    }
  | { readonly granted: false; readonly retryAfterSeconds: number };

/**
 * Limits that hold over all processes of a store and over restarts. Windows lie side by side from the epoch on; a
 * process leases a part of what a window has left and serves from it, so that most requests write nothing. Leased
 * tokens that a process does not use are lost with their window: a limit is never exceeded, it may be met early.
 */
export interface Limiter {
  take(key: string, limit: Limit): Promise<LimitResult>;
}

interface Lease {
  readonly start: Micros;
  tokens: number;
  /** What the store had left when last read; it only shrinks within a window. */
  left: number;
  pending: Promise<void> | undefined;
}

/** The part of what is left that one process takes at once: leases shrink as the window fills up. */
const SHARE = 8;

/** Windows are kept a little past their end, for processes whose clock is behind. */
const KEPT: Micros = 300_000_000;
const SWEEP_EVERY: Micros = 60_000_000;
const MANY_LEASES = 10_000;

export function createLimiter(db: Pick<Database, 'write'>, clock: Clock): Limiter {
  const leases = new Map<string, Lease>();
  let swept = 0;

  function leaseOf(id: string, start: Micros): Lease {
    const known = leases.get(id);
    if (known?.start === start) return known;
    if (leases.size >= MANY_LEASES) forgetEnded(start);
    const fresh: Lease = { start, tokens: 0, left: Number.POSITIVE_INFINITY, pending: undefined };
    leases.set(id, fresh);
    return fresh;
  }

  /** Dropping a lease that still runs only wastes its tokens. */
  function forgetEnded(start: Micros): void {
    for (const [id, lease] of leases) if (lease.start < start) leases.delete(id);
    if (leases.size >= MANY_LEASES) leases.clear();
  }

  async function extend(
    lease: Lease,
    window: Window,
    { limit, share = SHARE }: Limit,
    needed: number,
  ): Promise<void> {
    const now = clock.now();
    const sweep = now - swept >= SWEEP_EVERY;
    if (sweep) swept = now;
    const { leased, left } = await db.write(async (uow) => {
      await uow.lock(`rate:${window.key}`);
      if (sweep) await deleteEndedWindows(uow, now - KEPT);
      const free = Math.max(0, limit - (await selectUsed(uow, window)));
      if (free < needed) return { leased: 0, left: free };
      const leased = Math.max(needed, Math.floor(free / share));
      await addUsed(uow, window, leased);
      return { leased, left: free - leased };
    });
    lease.tokens += leased;
    lease.left = left;
  }

  return {
    async take(key, given) {
      const { limit, windowSeconds, cost = 1 } = given;
      const length = windowSeconds * 1_000_000;
      const id = `${windowSeconds}:${key}`;
      for (;;) {
        const now = clock.now();
        const start = Math.floor(now / length) * length;
        const resetSeconds = Math.ceil((start + length - now) / 1_000_000);
        const lease = leaseOf(id, start);
        if (lease.tokens >= cost) {
          lease.tokens -= cost;
          return { granted: true, remaining: lease.tokens + lease.left, resetSeconds };
        }
        const needed = cost - lease.tokens;
        if (needed > lease.left || cost > limit) return { granted: false, retryAfterSeconds: resetSeconds };
        lease.pending ??= extend(lease, { key, length, start }, given, needed).finally(() => {
          lease.pending = undefined;
        });
        await lease.pending;
      }
    },
  };
}
