import type { Hasher } from '../hasher.ts';
import { emptyRoot, nodeHash } from './hash.ts';

/** A full subtree: it covers the leaves from `index * 2^level` on, `2^level` of them. */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
  readonly hash: Uint8Array;
}

/** The right edge of a tree: all that is needed to append to it and to know its root. */
export class CompactRange {
  readonly #hasher: Hasher;
  /** Hashes of the full subtrees, one for each set bit of the size, largest first. */
  readonly #peaks: Uint8Array[];
  #size: number;

  constructor(hasher: Hasher, size = 0, peaks: readonly Uint8Array[] = []) {
    if (peaks.length !== peakCount(size)) {
      throw new RangeError(`A tree of ${size} leaves has ${peakCount(size)} peaks, not ${peaks.length}.`);
    }
    this.#hasher = hasher;
    this.#size = size;
    this.#peaks = [...peaks];
  }

  get size(): number {
    return this.#size;
  }

  get peaks(): readonly Uint8Array[] {
    return [...this.#peaks];
  }

  /** Takes a leaf hash and returns the full subtrees that it completes, the leaf itself first. */
  append(leaf: Uint8Array): TreeNode[] {
    const completed: TreeNode[] = [{ level: 0, index: this.#size, hash: leaf }];
    let hash = leaf;
    let index = this.#size;
    for (let level = 1; index % 2 === 1; level += 1) {
      hash = nodeHash(this.#hasher, this.#peaks.pop() as Uint8Array, hash);
      index = (index - 1) / 2;
      completed.push({ level, index, hash });
    }
    this.#peaks.push(hash);
    this.#size += 1;
    return completed;
  }

  root(): Uint8Array {
    return foldPeaks(this.#hasher, this.#peaks) ?? emptyRoot(this.#hasher);
  }
}

export function rootFromLeaves(hasher: Hasher, leafHashes: Iterable<Uint8Array>): Uint8Array {
  const range = new CompactRange(hasher);
  for (const leaf of leafHashes) range.append(leaf);
  return range.root();
}

/** The positions of the peaks of a tree (or of its right part from `begin` on), largest first. */
export function peakPositions(begin: number, end: number): { level: number; index: number }[] {
  const positions: { level: number; index: number }[] = [];
  let at = begin;
  while (at < end) {
    let level = 0;
    while (at + 2 ** (level + 1) <= end && at % 2 ** (level + 1) === 0) level += 1;
    positions.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return positions;
}

export function foldPeaks(hasher: Hasher, peaks: readonly Uint8Array[]): Uint8Array | undefined {
  return peaks.reduceRight<Uint8Array | undefined>(
    (right, left) => (right === undefined ? left : nodeHash(hasher, left, right)),
    undefined,
  );
}

function peakCount(size: number): number {
  let count = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}
