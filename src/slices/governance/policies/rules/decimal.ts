/** Amounts are exact decimals: an integer, and how many of its digits come after the point. */
import { JsonNumber } from '../../../../kernel/json/value.ts';

export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const LARGEST_SCALE = 64;

/** Reads a JSON number (by its lexeme, where the reader kept one) or decimal text; undefined for anything else. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? parse(String(value)) : undefined;
  if (value instanceof JsonNumber) return parse(value.lexeme);
  return typeof value === 'string' ? parse(value) : undefined;
}

function parse(text: string): Decimal | undefined {
  const match = /^(-?)(\d{1,64})(?:\.(\d{1,64}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const scale = fraction.length - Number(exponent);
  if (Math.abs(scale) > LARGEST_SCALE) return undefined;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

function atScale(value: Decimal, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale);
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: atScale(a, scale) + atScale(b, scale), scale };
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, { digits: -b.digits, scale: b.scale });
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = atScale(a, scale) - atScale(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Shortest decimal text, never with an exponent. */
export function formatDecimal(value: Decimal): string {
  const negative = value.digits < 0n;
  const text = (negative ? -value.digits : value.digits).toString().padStart(value.scale + 1, '0');
  const whole = text.slice(0, text.length - value.scale);
  const fraction = text.slice(text.length - value.scale).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

export const ZERO: Decimal = { digits: 0n, scale: 0 };
