import type { Micros } from '../../../../kernel/clock.ts';
import { DAYS, type TimeWindow } from '../../atlases/schema.ts';

const DAY_SECONDS = 86_400;
/** No zone shifts its offset inside a quarter of an hour. */
const OFFSET_BLOCK_MS = 900_000;

export interface CompiledWindow {
  readonly start: number;
  readonly end: number;
  readonly zone: Zone;
  /** Bit 0 is Monday; undefined is every day. */
  readonly days: number | undefined;
}

interface Zone {
  readonly format: Intl.DateTimeFormat | undefined;
  block: number;
  offsetSeconds: number;
}

const zones = new Map<string, Zone>();

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Throws RangeError for a time zone that does not exist; lint reports those before anything is compiled. */
export function compileWindow(window: TimeWindow): CompiledWindow {
  return {
    start: window.start === undefined ? 0 : secondsOf(window.start),
    end: window.end === undefined ? DAY_SECONDS : secondsOf(window.end),
    zone: zoneOf(window.timezone ?? 'UTC'),
    days: window.days?.reduce((mask, day) => mask | (1 << DAYS.indexOf(day)), 0),
  };
}

/** Start inclusive, end exclusive; a window past midnight belongs to the day on which it starts. */
export function inWindow(window: CompiledWindow, now: Micros): boolean {
  const millis = Math.floor(now / 1000);
  const local = Math.floor(millis / 1000) + offsetAt(window.zone, millis);
  const day = Math.floor(local / DAY_SECONDS);
  const time = local - day * DAY_SECONDS;
  if (window.start < window.end) {
    return time >= window.start && time < window.end && onDay(window, day);
  }
  if (time >= window.start) return onDay(window, day);
  return time < window.end && onDay(window, day - 1);
}

function onDay(window: CompiledWindow, daysSinceEpoch: number): boolean {
  if (window.days === undefined) return true;
  // 1970-01-01 was a Thursday.
  const weekday = (((daysSinceEpoch + 3) % 7) + 7) % 7;
  return (window.days & (1 << weekday)) !== 0;
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time
    .slice(0, 8)
    .split(':')
    .map((part) => Number.parseInt(part, 10));
  return hours * 3600 + minutes * 60 + (Number.isNaN(seconds) ? 0 : seconds);
}

function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (!zone) {
    const format =
      name === 'UTC'
        ? undefined
        : new Intl.DateTimeFormat('en-US', {
            timeZone: name,
            hourCycle: 'h23',
            year: 'numeric',
            month: 'numeric',
            day: 'numeric',
            hour: 'numeric',
            minute: 'numeric',
            second: 'numeric',
          });
    zone = { format, block: Number.NaN, offsetSeconds: 0 };
    zones.set(name, zone);
  }
  return zone;
}

function offsetAt(zone: Zone, millis: number): number {
  if (!zone.format) return 0;
  const block = Math.floor(millis / OFFSET_BLOCK_MS);
  if (zone.block !== block) {
    const at = block * OFFSET_BLOCK_MS;
    const parts: Record<string, number> = {};
    for (const { type, value } of zone.format.formatToParts(at)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    zone.offsetSeconds = Math.round((Date.UTC(year, month - 1, day, hour, minute, second) - at) / 1000);
    zone.block = block;
  }
  return zone.offsetSeconds;
}
