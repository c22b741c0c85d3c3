import type { Micros } from './clock.ts';

export interface Instant {
  readonly micros: Micros;
  /** Written with `Z` or a zero offset. */
  readonly utc: boolean;
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const DAY_MINUTES = 1440;

let lastSecond = Number.NaN;
let lastSecondText = '';

/** `YYYY-MM-DDTHH:MM:SS.ffffffZ` */
export function formatMicros(micros: Micros): string {
  const second = Math.floor(micros / 1_000_000);
  return `${textOfSecond(second)}.${String(1_000_000 + (micros - second * 1_000_000)).slice(1)}Z`;
}

/** `YYYY-MM-DDTHH:MM:SS.fffZ` */
export function formatMillis(micros: Micros): string {
  return `${formatMicros(micros).slice(0, -4)}Z`;
}

/**
 * RFC 3339 with any offset. A leap second is accepted anywhere and means the next second; digits beyond
 * microseconds are cut. Undefined if the text is not an instant.
 */
export function parseInstant(text: string): Instant | undefined {
  if (!RFC3339.test(text)) return undefined;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  const offset = offsetMinutes(text);
  if (offset === undefined) return undefined;
  const minutes = daysSinceEpoch(year, month, day) * DAY_MINUTES + hour * 60 + minute - offset;
  return { micros: (minutes * 60 + second) * 1_000_000 + fraction(text), utc: offset === 0 };
}

/** Most instants that are written follow one of the same second. */
function textOfSecond(second: number): string {
  if (second !== lastSecond) {
    lastSecondText = new Date(second * 1000).toISOString().slice(0, 19);
    lastSecond = second;
  }
  return lastSecondText;
}

function digits(text: string, at: number, count: number): number {
  let value = 0;
  for (let step = 0; step < count; step += 1) value = value * 10 + text.charCodeAt(at + step) - 0x30;
  return value;
}

function fraction(text: string): number {
  if (text.charAt(19) !== '.') return 0;
  let value = 0;
  for (let at = 20; at < 26; at += 1) {
    const digit = text.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return value * 10 ** (26 - at);
    value = value * 10 + digit;
  }
  return value;
}

function offsetMinutes(text: string): number | undefined {
  const last = text.charAt(text.length - 1);
  if (last === 'Z' || last === 'z') return 0;
  const hours = digits(text, text.length - 5, 2);
  const minutes = digits(text, text.length - 2, 2);
  if (hours > 23 || minutes > 59) return undefined;
  const size = hours * 60 + minutes;
  return size === 0 || text.charAt(text.length - 6) === '+' ? size : -size;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Of the proleptic Gregorian calendar; `Date.UTC` would take the years 0 to 99 for the twentieth century's. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const march = month > 2 ? month - 3 : month + 9;
  const marchYear = month > 2 ? year : year - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((153 * march + 2) / 5) + day - 1 - 719_468;
}
