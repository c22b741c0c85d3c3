import type { Micros } from '../../../kernel/clock.ts';
import type { Login } from './login-store.ts';

const MINUTE = 60_000_000;

export const LINK_LIFETIME: Micros = 5 * MINUTE;
export const DASHBOARD_LIFETIME: Micros = 7 * 24 * 60 * MINUTE;
const DASHBOARD_IDLE: Micros = 12 * 60 * MINUTE;
export const PRESENCE: Micros = 15 * MINUTE;

/** How stale `seen` may be: finer would cost a write for each request. */
export const SEEN_GRAIN: Micros = 5 * MINUTE;

export function isLive(login: Login, now: Micros): boolean {
  if (login.endedMicros !== null || now >= login.expiresMicros) return false;
  return login.kind !== 'dashboard' || now < login.seenMicros + DASHBOARD_IDLE;
}

/** Whether the `kind:id` that a login came from is the owner key. */
export function isFromOwner(source: string): boolean {
  return source.startsWith('owner:');
}

/**
 * A passphrase, once set, is the only proof of presence: whoever holds the owner key can open a dashboard session,
 * and an agent with a shell can hold that key. Until then the dashboard counts, since it is all there is.
 */
export function isPresent(login: Login, now: Micros): boolean {
  if (login.actor.type !== 'human') return false;
  if (now < login.presentUntilMicros) return true;
  return login.kind === 'dashboard' && !login.guarded;
}
