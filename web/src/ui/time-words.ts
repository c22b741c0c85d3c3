const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `just now`, `12 s ago`, `in 5 min`, `3 h ago`, `2 d ago`; a date beyond a month. */
export function relativeTime(at: number, now: number): string {
  if (!Number.isFinite(at)) return 'unknown';
  const distance = Math.abs(now - at);
  if (distance < 1.5 * SECOND) return 'just now';
  if (distance >= 30 * DAY) return new Date(at).toISOString().slice(0, 10);
  const said = duration(distance);
  return at > now ? `in ${said}` : `${said} ago`;
}

/** The largest unit that says it. */
export function duration(ms: number): string {
  if (ms < MINUTE) return `${Math.round(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

export function absoluteTime(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime())
    ? at
    : `${date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' })} (${at})`;
}

/** The time of day, for rows that stand close together; with the date once it is another day. */
export function clockTime(at: string, now: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const sameDay = date.toDateString() === new Date(now).toDateString();
  return sameDay
    ? date.toLocaleTimeString('en-GB')
    : date.toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
}

/** `18 Aug`, for what lies days apart. */
export function shortDate(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}
