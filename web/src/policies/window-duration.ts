const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Seconds in the largest unit that says them exactly: `1 hour`, `90 minutes`, `3,601 seconds`. */
export function windowDuration(seconds: number): string {
  const [size, name] = UNITS.find(([unit]) => seconds % unit === 0) ?? [1, 'second'];
  const n = seconds / size;
  return `${new Intl.NumberFormat('en').format(n)} ${name}${n === 1 ? '' : 's'}`;
}
