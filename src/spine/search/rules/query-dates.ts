import type { Micros } from '../../../kernel/clock.ts';

/** A time span mentioned in a query, end excluded. All rules read dates in UTC. */
export interface Period {
  readonly from: Micros;
  readonly to: Micros;
}

const DAY = 86_400_000_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  'a couple of': 2,
  'couple of': 2,
  three: 3,
  'a few': 3,
  few: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};

const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const DAY_OF_MONTH = '(\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '((?:19|20)\\d\\d)';
const COUNT = `(\\d{1,3}|${Object.keys(NUMBERS)
  .sort((a, b) => b.length - a.length)
  .join('|')})`;
const UNIT = '(day|week|month|year)s?';
/** Without a day or a year, `may` and `march` are more often verbs. */
const BEFORE_MONTH = '(?:in|during|since|of|last|this|early|late|mid|around|until|by|through|and)[ -]';

type Reading = (match: RegExpMatchArray, now: Micros) => Period | undefined;

/** In order: what an earlier rule has read is not read again by a later one. */
const READINGS: readonly (readonly [RegExp, Reading])[] = [
  [
    /\b((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\b/g,
    ([, year, month, day]) => dayOf(Number(year), Number(month) - 1, Number(day)),
  ],
  [/\b((?:19|20)\d\d)-(\d{2})\b/g, ([, year, month]) => monthOf(Number(year), Number(month) - 1)],
  [
    new RegExp(`\\b${MONTH} ${DAY_OF_MONTH},? ${YEAR}\\b`, 'g'),
    ([, month, day, year]) => dayOf(Number(year), monthIndex(month), Number(day)),
  ],
  [
    new RegExp(`\\b${DAY_OF_MONTH}(?: of)? ${MONTH},? ${YEAR}\\b`, 'g'),
    ([, day, month, year]) => dayOf(Number(year), monthIndex(month), Number(day)),
  ],
  [
    new RegExp(`\\b${MONTH},? ${YEAR}\\b`, 'g'),
    ([, month, year]) => monthOf(Number(year), monthIndex(month)),
  ],
  [
    new RegExp(`\\b${MONTH} ${DAY_OF_MONTH}\\b`, 'g'),
    ([, month, day], now) => latest(now, (year) => dayOf(year, monthIndex(month), Number(day))),
  ],
  [
    new RegExp(`\\b${DAY_OF_MONTH}(?: of)? ${MONTH}\\b`, 'g'),
    ([, day, month], now) => latest(now, (year) => dayOf(year, monthIndex(month), Number(day))),
  ],
  [
    new RegExp(`\\b${BEFORE_MONTH}${MONTH}(?![\\w])`, 'g'),
    ([, month], now) => latest(now, (year) => monthOf(year, monthIndex(month))),
  ],
  [new RegExp(`\\b(?:in|during|of|since|year) ${YEAR}\\b`, 'g'), ([, year]) => yearOf(Number(year))],
  [/\bday before yesterday\b/g, (_, now) => daysFrom(now, -2, 1)],
  [/\byesterday\b/g, (_, now) => daysFrom(now, -1, 1)],
  [/\b(?:today|this morning|this afternoon|this evening|tonight)\b/g, (_, now) => daysFrom(now, 0, 1)],
  [
    new RegExp(`\\b${COUNT} ${UNIT} (?:ago|back|earlier)\\b`, 'g'),
    ([, count, unit], now) => ago(now, countOf(count), unit ?? 'day'),
  ],
  [
    new RegExp(`\\b(?:past|last|previous) ${COUNT} ${UNIT}\\b`, 'g'),
    ([, count, unit], now) => ({ from: shift(now, -countOf(count), unit ?? 'day'), to: now }),
  ],
  [/\b(?:last|past|previous) (week|month|year)\b/g, ([, unit], now) => before(now, unit ?? 'week')],
  [/\bthis (week|month|year)\b/g, ([, unit], now) => ({ from: startOf(now, unit ?? 'week'), to: now })],
  [/\b(?:last|this past) weekend\b/g, (_, now) => lastWeekend(now)],
  [
    new RegExp(`\\b(?:last|on|this past|past) (${WEEKDAYS.join('|')})\\b`, 'g'),
    ([, name], now) => daysFrom(now, -(((weekdayOf(now) - WEEKDAYS.indexOf(name ?? '') + 6) % 7) + 1), 1),
  ],
];

/** `now` is the time of the query: `last week` is counted from it. */
export function periodsIn(query: string, now: Micros): Period[] {
  let rest = query.toLowerCase().replace(/\s+/g, ' ');
  const periods: Period[] = [];
  for (const [pattern, read] of READINGS) {
    rest = rest.replace(pattern, (...args) => {
      const period = read(args.slice(0, -2) as unknown as RegExpMatchArray, now);
      if (period === undefined) return args[0] as string;
      periods.push(period);
      return ' ; ';
    });
  }
  return periods;
}

/** Slack on both sides: events are often recorded some days later. What is within the period goes before it. */
const SLACK = 7 * DAY;
const OUTSIDE = 0.6;

/** The narrower a period, the more it tells: of a day, a week, a month, and what is longer. */
const NARROWNESS: readonly (readonly [days: number, share: number])[] = [
  [1, 0.55],
  [7.5, 0.4],
  [32, 0.3],
];
const WIDE = 0.15;

/** The share of the score for a time: whole inside a period, less beside it, nothing from its own length and a week away. */
export function dateShare(time: Micros, periods: readonly Period[]): number {
  let best = 0;
  for (const { from, to } of periods) {
    const inside = time >= from && time < to;
    const distance = time < from ? from - time : time - to;
    const share = NARROWNESS.find(([days]) => to - from <= days * DAY)?.[1] ?? WIDE;
    const nearness = inside ? 1 : OUTSIDE * (1 - distance / (to - from + SLACK));
    best = Math.max(best, share * nearness);
  }
  return best;
}

function monthIndex(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3));
}

function countOf(text: string | undefined): number {
  return NUMBERS[text ?? ''] ?? Number(text);
}

function utc(year: number, month: number, day: number): Micros {
  return Date.UTC(year, month, day) * 1000;
}

function dayOf(year: number, month: number, day: number): Period | undefined {
  const from = utc(year, month, day);
  if (month < 0 || month > 11 || new Date(from / 1000).getUTCDate() !== day) return undefined;
  return { from, to: from + DAY };
}

function monthOf(year: number, month: number): Period | undefined {
  if (month < 0 || month > 11) return undefined;
  return { from: utc(year, month, 1), to: utc(year, month + 1, 1) };
}

function yearOf(year: number): Period {
  return { from: utc(year, 0, 1), to: utc(year + 1, 0, 1) };
}

/** A date without a year is the last one that has begun. */
function latest(now: Micros, inYear: (year: number) => Period | undefined): Period | undefined {
  const year = new Date(now / 1000).getUTCFullYear();
  const period = inYear(year);
  return period !== undefined && period.from > now ? inYear(year - 1) : period;
}

function startOf(now: Micros, unit: string): Micros {
  const date = new Date(now / 1000);
  if (unit === 'year') return utc(date.getUTCFullYear(), 0, 1);
  if (unit === 'month') return utc(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const day = Math.floor(now / DAY) * DAY;
  return unit === 'week' ? day - ((weekdayOf(now) + 6) % 7) * DAY : day;
}

function shift(from: Micros, count: number, unit: string): Micros {
  if (unit === 'day' || unit === 'week') return from + count * (unit === 'week' ? 7 : 1) * DAY;
  const date = new Date(from / 1000);
  date.setUTCMonth(date.getUTCMonth() + count * (unit === 'year' ? 12 : 1));
  return date.getTime() * 1000 + (from % 1000);
}

function daysFrom(now: Micros, offset: number, length: number): Period {
  const from = startOf(now, 'day') + offset * DAY;
  return { from, to: from + length * DAY };
}

/** `Three weeks ago` is said of the week around that day. */
function ago(now: Micros, count: number, unit: string): Period {
  const centre = shift(now, -count, unit);
  const half = unit === 'day' ? DAY / 2 : (now - shift(now, -1, unit)) / 2;
  return { from: Math.floor(centre - half), to: Math.floor(centre + half) };
}

function before(now: Micros, unit: string): Period {
  const to = startOf(now, unit);
  return { from: shift(to, -1, unit), to };
}

function lastWeekend(now: Micros): Period {
  const monday = startOf(now, 'week');
  return { from: monday - 2 * DAY, to: monday };
}

function weekdayOf(now: Micros): number {
  return new Date(now / 1000).getUTCDay();
}
