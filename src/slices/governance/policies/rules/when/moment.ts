import type { Micros } from '../../../../../kernel/clock.ts';
import { parseInstant } from '../../../../../kernel/instant.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** A moment that a rule names: an instant, a day (its beginning in UTC), or `now`, `now-7d`, `now+2h`. */
export type Moment = (now: Micros) => Micros;

export function parseMoment(text: string): Moment | undefined {
  const relative = /^now(?:([+-])(\d{1,9})([smhdw]))?$/.exec(text);
  if (relative) {
    const [, sign, count = '0', unit = 's'] = relative;
    const shift = Number(count) * (UNITS[unit] as number) * 1_000_000;
    return (now) => (sign === '-' ? now - shift : now + shift);
  }
  const at = instantOf(text);
  return at === undefined ? undefined : () => at;
}

/** A moment that the parameters name: an instant or a day. */
export function instantOf(text: string): Micros | undefined {
  return parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)?.micros;
}
