const whole = new Intl.NumberFormat('en');

export function count(n: number): string {
  return whole.format(n);
}

/** `1 event`, `2 events`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** How long something took: `40 ms`, `1.2 s`. */
export function seconds(ms: number): string {
  return ms < 950 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
}
