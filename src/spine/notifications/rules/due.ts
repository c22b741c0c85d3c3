import type { Micros } from '../../../kernel/clock.ts';
import type { QuietHours, When } from '../kinds.ts';

const MINUTE: Micros = 60_000_000;
const HOUR: Micros = 60 * MINUTE;
const DAY_MINUTES = 24 * 60;

/** When what happens now is told, quiet hours aside. */
export function dueAt(
  when: Exclude<When, 'never'>,
  now: Micros,
  { zone, digestAt }: { readonly zone: string; readonly digestAt: string },
): Micros {
  if (when === 'now') return now;
  if (when === 'hourly') return (Math.floor(now / HOUR) + 1) * HOUR;
  return nextLocal(now, minuteOf(digestAt), zone);
}

export function isQuiet(now: Micros, quiet: QuietHours | null, zone: string): boolean {
  if (!quiet) return false;
  const [from, to, at] = [minuteOf(quiet.from), minuteOf(quiet.to), localMinute(now, zone)];
  return from < to ? at >= from && at < to : at >= from || at < to;
}

/** The next moment at which clocks of the zone show this minute of the day, or the first one after a skipped hour. */
function nextLocal(now: Micros, minute: number, zone: string): Micros {
  const start = Math.floor(now / MINUTE) * MINUTE;
  const ahead = (minute - localMinute(now, zone) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const due = start + ahead * MINUTE;
  // A clock that was changed in between is off by what it was changed by.
  const off = ((localMinute(due, zone) - minute + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  const mended = due - off * MINUTE;
  return off !== 0 && localMinute(mended, zone) === minute && mended > now ? mended : due;
}

function minuteOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(zone, format);
  }
  return format;
}

function localMinute(now: Micros, zone: string): number {
  return minuteOf(localTime(now, zone));
}

/** `HH:MM` as clocks of the zone show it. */
export function localTime(now: Micros, zone: string): string {
  return formatOf(zone).format(now / 1000);
}

export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}
