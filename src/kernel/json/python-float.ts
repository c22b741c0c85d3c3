/**
 * How Python prints a float. Its digits are the shortest that read back, as JavaScript's, but it goes to scientific form
 * below 1e-4 and from 1e16 on, writes at least two digits of exponent, and ends whole numbers in `.0`.
 */
export function pythonRepr(n: number): string {
  if (Number.isNaN(n)) return 'nan';
  const size = Math.abs(n);
  if (size === Number.POSITIVE_INFINITY) return n > 0 ? 'inf' : '-inf';
  if (size === 0) return Object.is(n, -0) ? '-0.0' : '0.0';
  if (size >= 1e16 || size < 1e-4) return scientific(n);
  return Number.isInteger(n) ? `${n}.0` : String(n);
}

function scientific(n: number): string {
  const [digits, exponent] = n.toExponential().split('e') as [string, string];
  const sign = exponent.charAt(0);
  return `${digits}e${sign}${exponent.slice(1).padStart(2, '0')}`;
}
