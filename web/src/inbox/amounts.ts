import type { InboxItem } from './queries.ts';

/** What the items of a group or a selection have in one value: the same for all, or from the least to the most. */
export interface Spread {
  readonly name: string;
  readonly same: string | undefined;
  readonly least: string;
  readonly most: string;
  /** Of numbers that are amounts; undefined where adding up says nothing. */
  readonly sum: string | undefined;
}

const DECIMAL = /^-?\d{1,15}(?:\.\d{1,6})?$/;
const ADDS_UP = /amount|total|price|cost|sum|value|quantity|count|refund|spend|budget/i;

/** The values that decide, over several items, exactly: in whole units of the smallest digit. */
export function spreadsOf(items: readonly Pick<InboxItem, 'highlights'>[]): Spread[] {
  const [first] = items;
  const names = (first?.highlights ?? []).map(({ name }) => name);
  return names.flatMap((name) => {
    const texts = items.map(({ highlights }) => highlights?.find((one) => one.name === name)?.value);
    if (texts.some((value) => value === undefined || value === null)) return [];
    const values = texts.map(String);
    const [same] = values;
    if (same !== undefined && values.every((value) => value === same) && !ADDS_UP.test(name)) {
      return [{ name, same, least: same, most: same, sum: undefined }];
    }
    if (!values.every((value) => DECIMAL.test(value))) return [];
    const sorted = [...values].sort((a, b) => Number(a) - Number(b));
    const [least = '', most = ''] = [sorted[0], sorted.at(-1)];
    const equal = least === most ? least : undefined;
    return [{ name, same: equal, least, most, sum: ADDS_UP.test(name) ? addUp(values) : undefined }];
  });
}

/** Decimals added without rounding. */
export function addUp(values: readonly string[]): string {
  const places = Math.max(...values.map((value) => (value.split('.')[1] ?? '').length));
  let sum = 0n;
  for (const value of values) {
    const [whole = '0', fraction = ''] = value.replace('-', '').split('.');
    const units = BigInt(whole + fraction.padEnd(places, '0'));
    sum += value.startsWith('-') ? -units : units;
  }
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return sum < 0n ? `-${text}` : text;
}

export function spreadWords({ name, same, least, most, sum }: Spread): string {
  const range = same ?? `${least} to ${most}`;
  return sum === undefined || sum === same ? `${name} ${range}` : `${name} ${range}, ${sum} in all`;
}
