import type { Micros } from './clock.ts';

export interface Instant {
  readonly micros: Micros;
  /** Written with `Z` or a zero offset. */
  readonly utc: boolean;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([Zz])|([+-])(\d\d):(\d\d))$/;

/** `YYYY-MM-DDTHH:MM:SS.ffffffZ` */
export function formatMicros(micros: Micros): string {
  const millis = Math.floor(micros / 1000);
  const rest = String(micros - millis * 1000).padStart(3, '0');
  return `${new Date(millis).toISOString().slice(0, -1)}${rest}Z`;
}

/** `YYYY-MM-DDTHH:MM:SS.fffZ` */
export function formatMillis(micros: Micros): string {
  return new Date(Math.floor(micros / 1000)).toISOString();
}

/**
 * RFC 3339 with any offset. A leap second is taken wherever it stands and means the second after; digits beyond
 * microseconds are cut. Undefined for whatever is no instant.
 */
export function parseInstant(text: string): Instant | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  const offsetMinutes = offsetOf(match[9], match[10], match[11]);
  if (offsetMinutes === undefined) return undefined;
  const minutes = daysSinceEpoch(year, month, day) * 1440 + hour * 60 + minute - offsetMinutes;
  const fraction = Number((match[7] ?? '').slice(0, 6).padEnd(6, '0'));
  return { micros: (minutes * 60 + second) * 1_000_000 + fraction, utc: offsetMinutes === 0 };
}

function offsetOf(
  sign: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
): number | undefined {
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const size = Number(hours) * 60 + Number(minutes);
  return size === 0 || sign === '+' ? size : -size;
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** `Date.UTC` would take the years 0 to 99 for the twentieth century's. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / 86_400_000;
}
