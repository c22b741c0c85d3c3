/** Pairs of the two sequences' indexes; undefined on the side where there is none. */
export interface Pair {
  readonly a: number | undefined;
  readonly b: number | undefined;
}

/** Above this the table is too large to be worth it, and events are compared by their place. */
const LARGEST_TABLE = 4_000_000;

/** A longest common subsequence of the keys, after the ends that agree are set aside. */
export function alignByKey(a: readonly string[], b: readonly string[]): Pair[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let tail = 0;
  while (
    tail < a.length - start &&
    tail < b.length - start &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  ) {
    tail += 1;
  }
  const pairs: Pair[] = [];
  for (let at = 0; at < start; at += 1) pairs.push({ a: at, b: at });
  pairs.push(...alignMiddle(a, b, start, a.length - tail, b.length - tail));
  for (let at = tail; at > 0; at -= 1) pairs.push({ a: a.length - at, b: b.length - at });
  return pairs;
}

function alignMiddle(
  a: readonly string[],
  b: readonly string[],
  start: number,
  endA: number,
  endB: number,
): Pair[] {
  const rows = endA - start;
  const columns = endB - start;
  if (rows * columns > LARGEST_TABLE) return byPlace(start, endA, endB);
  const width = columns + 1;
  const longest = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i -= 1) {
    for (let j = columns - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        a[start + i] === b[start + j]
          ? (longest[(i + 1) * width + j + 1] as number) + 1
          : Math.max(longest[(i + 1) * width + j] as number, longest[i * width + j + 1] as number);
    }
  }
  const pairs: Pair[] = [];
  let i = 0;
  let j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && a[start + i] === b[start + j]) {
      pairs.push({ a: start + i, b: start + j });
      i += 1;
      j += 1;
    } else if (j === columns || (i < rows && longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)) {
      pairs.push({ a: start + i, b: undefined });
      i += 1;
    } else {
      pairs.push({ a: undefined, b: start + j });
      j += 1;
    }
  }
  return pairs;
}

function byPlace(start: number, endA: number, endB: number): Pair[] {
  return Array.from({ length: Math.max(endA, endB) - start }, (_, offset) => ({
    a: start + offset < endA ? start + offset : undefined,
    b: start + offset < endB ? start + offset : undefined,
  }));
}
