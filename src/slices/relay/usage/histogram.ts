/**
 * Durations counted in classes that each are a quarter of a doubling wide, so that sums of many hours are made by adding
 * and a percentile read from them is within a tenth of the true one. Written as `class:count,class:count`.
 */
export type Histogram = ReadonlyMap<number, number>;

const PER_DOUBLING = 4;

export function classOf(micros: number): number {
  return micros < 1 ? 0 : Math.floor(Math.log2(micros) * PER_DOUBLING) + 1;
}

/** The middle of a class, in microseconds. */
function middleOf(index: number): number {
  return index === 0 ? 0 : 2 ** ((index - 0.5) / PER_DOUBLING);
}

export function readHistogram(text: string): Map<number, number> {
  const histogram = new Map<number, number>();
  for (const pair of text.split(',')) {
    const [index, count] = pair.split(':');
    if (count !== undefined) histogram.set(Number(index), Number(count));
  }
  return histogram;
}

/** For speed: adds one that is written down without making a map of it; statistics read thousands. */
export function addWritten(into: Map<number, number>, text: string): void {
  let index = 0;
  let number = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COLON) {
      index = number;
      number = 0;
    } else if (code >= ZERO && code <= ZERO + 9) number = number * 10 + (code - ZERO);
    else {
      if (number > 0) into.set(index, (into.get(index) ?? 0) + number);
      number = 0;
    }
  }
}

const COLON = 58;
const ZERO = 48;

export function writeHistogram(histogram: Histogram): string {
  return [...histogram]
    .sort(([a], [b]) => a - b)
    .map(([index, count]) => `${index}:${count}`)
    .join(',');
}

export function addHistogram(into: Map<number, number>, from: Histogram): void {
  for (const [index, count] of from) into.set(index, (into.get(index) ?? 0) + count);
}

/** In microseconds; zero of nothing. */
export function percentileOf(histogram: Histogram, part: number): number {
  const sorted = [...histogram].sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let below = 0;
  for (const [index, count] of sorted) {
    below += count;
    if (below >= part * total) return middleOf(index);
  }
  return 0;
}
