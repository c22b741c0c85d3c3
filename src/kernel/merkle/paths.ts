import type { Hasher } from '../hasher.ts';
import { foldPeaks, peakPositions } from './compact-range.ts';

/** The hash of the full subtree over the leaves from `index * 2^level` on, `2^level` of them. */
export type NodeAt = (level: number, index: number) => Uint8Array | Promise<Uint8Array>;

type Span = readonly [begin: number, end: number];

/** RFC 6962 2.1.1: the audit path of one leaf in a tree of that size, from the leaf up. */
export async function inclusionPath(
  hasher: Hasher,
  size: number,
  index: number,
  nodeAt: NodeAt,
): Promise<Uint8Array[]> {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size)) {
    throw new RangeError(`A tree of ${size} leaves has no leaf ${index}.`);
  }
  const spans: Span[] = [];
  let [begin, end] = [0, size];
  while (end - begin > 1) {
    const middle = begin + splitOf(end - begin);
    if (index < middle) {
      spans.push([middle, end]);
      end = middle;
    } else {
      spans.push([begin, middle]);
      begin = middle;
    }
  }
  return hashesOf(hasher, spans.reverse(), nodeAt);
}

/** RFC 6962 2.1.2: that the tree of the first size is a prefix of that of the second. */
export async function consistencyPath(
  hasher: Hasher,
  first: number,
  second: number,
  nodeAt: NodeAt,
): Promise<Uint8Array[]> {
  if (!(Number.isSafeInteger(first) && first >= 0 && first <= second)) {
    throw new RangeError(`There is no tree of ${first} leaves inside one of ${second}.`);
  }
  if (first === 0 || first === second) return [];
  const spans: Span[] = [];
  let [begin, end] = [0, second];
  while (first !== end) {
    const middle = begin + splitOf(end - begin);
    if (first <= middle) {
      spans.push([middle, end]);
      end = middle;
    } else {
      spans.push([begin, middle]);
      begin = middle;
    }
  }
  // A prefix that is one full subtree is the old root itself, which the verifier has.
  if (begin > 0) spans.push([begin, end]);
  return hashesOf(hasher, spans.reverse(), nodeAt);
}

async function hashesOf(hasher: Hasher, spans: readonly Span[], nodeAt: NodeAt): Promise<Uint8Array[]> {
  const hashes: Uint8Array[] = [];
  for (const [begin, end] of spans) {
    const peaks: Uint8Array[] = [];
    for (const { level, index } of peakPositions(begin, end)) peaks.push(await nodeAt(level, index));
    hashes.push(foldPeaks(hasher, peaks) as Uint8Array);
  }
  return hashes;
}

/** The largest power of two below the count. */
function splitOf(count: number): number {
  let size = 1;
  while (size * 2 < count) size *= 2;
  return size;
}
