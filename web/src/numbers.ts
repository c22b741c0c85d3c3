const whole = new Intl.NumberFormat('en');

export function count(n: number): string {
  return whole.format(n);
}

/** `1 event`, `2 events`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** What a server counted, which may have stopped counting. */
export interface Total {
  readonly count: number;
  readonly exact: boolean;
}

/** `10,000`, or `100,000+` where counting stopped. */
export function totalWords(total: Total | number): string {
  if (typeof total === 'number') return count(total);
  return `${count(total.count)}${total.exact ? '' : '+'}`;
}

/** `1 package`, `100,000+ packages`. */
export function totalOf(total: Total | number, one: string, many = `${one}s`): string {
  const n = typeof total === 'number' ? total : total.count;
  return `${totalWords(total)} ${n === 1 ? one : many}`;
}

/** How long something took: `40 ms`, `1.2 s`. */
export function seconds(ms: number): string {
  return ms < 950 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const cents = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const small = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 3,
  maximumFractionDigits: 4,
});

/** `$14.62`; what is less than ten cents with the digits that tell it from nothing. */
export function dollars(amount: number): string {
  return amount === 0 || amount >= 0.1 ? cents.format(amount) : small.format(amount);
}
