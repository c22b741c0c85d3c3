import type { Micros } from '../../../kernel/clock.ts';
import type { Login } from './login-store.ts';

const MINUTE = 60_000_000;

export const LINK_LIFETIME: Micros = 5 * MINUTE;
export const DASHBOARD_LIFETIME: Micros = 7 * 24 * 60 * MINUTE;
const DASHBOARD_IDLE: Micros = 12 * 60 * MINUTE;

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

/** Nothing but a proof within its time: how a session was opened says nothing about who sits there. */
export function isPresent(login: Login, now: Micros): boolean {
  return login.actor.type === 'human' && now < login.presentUntilMicros;
}
