export type Deadline = 'hour' | 'today' | 'tomorrow' | 'later';

const HOUR_MS = 3_600_000;

/** How much time is left, in the words that a person plans by. What never expires can wait. */
export function deadlineOf(expiresAt: string | null, now: number): Deadline {
  const at = expiresAt === null ? Number.NaN : Date.parse(expiresAt);
  if (Number.isNaN(at)) return 'later';
  if (at - now <= HOUR_MS) return 'hour';
  const midnight = new Date(now);
  midnight.setHours(24, 0, 0, 0);
  if (at < midnight.getTime()) return 'today';
  return at < midnight.getTime() + 24 * HOUR_MS ? 'tomorrow' : 'later';
}

const MINUTE_MS = 60_000;

/** `12 min` while it presses, `18:00` today, `Fri 09:00` after that. */
export function deadlineWords(expiresAt: string | null, now: number): string {
  if (expiresAt === null) return '';
  const at = Date.parse(expiresAt);
  const left = at - now;
  if (left <= 0) return 'expired';
  if (left <= HOUR_MS) return `${Math.max(1, Math.floor(left / MINUTE_MS))} min`;
  const date = new Date(at);
  const clock = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (deadlineOf(expiresAt, now) === 'today') return clock;
  const far = left > 6 * 24 * HOUR_MS;
  return far
    ? date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
    : `${date.toLocaleDateString('en-GB', { weekday: 'short' })} ${clock}`;
}
