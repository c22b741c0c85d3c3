/** RFC 9162 2.1.3.2 and 2.1.4.2. Indices are divided instead of shifted, because they may pass 32 bits. */
import type { Hasher } from '../hasher.ts';
import { emptyRoot, nodeHash, sameHash } from './hash.ts';

export interface InclusionProof {
  /** The leaf hash, not the leaf's data. */
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
  readonly root: Uint8Array;
}

export interface ConsistencyProof {
  readonly first: number;
  readonly firstRoot: Uint8Array;
  readonly second: number;
  readonly secondRoot: Uint8Array;
  readonly path: readonly Uint8Array[];
}

export function verifyInclusion(hasher: Hasher, proof: InclusionProof): boolean {
  const { index, size, path } = proof;
  if (!isCount(index) || !isCount(size) || index >= size || !path.every(isHash)) return false;
  let node = index;
  let last = size - 1;
  let hash = proof.leaf;
  for (const sibling of path) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = nodeHash(hasher, sibling, hash);
      while (!isOdd(node) && node !== 0) {
        node = half(node);
        last = half(last);
      }
    } else {
      hash = nodeHash(hasher, hash, sibling);
    }
    node = half(node);
    last = half(last);
  }
  return last === 0 && sameHash(hash, proof.root);
}

export function verifyConsistency(hasher: Hasher, proof: ConsistencyProof): boolean {
  const { first, firstRoot, second, secondRoot, path } = proof;
  if (!isCount(first) || !isCount(second) || first > second || !path.every(isHash)) return false;
  if (first === second) return path.length === 0 && sameHash(firstRoot, secondRoot);
  if (first === 0) return path.length === 0 && sameHash(firstRoot, emptyRoot(hasher));
  const hashes = isPowerOfTwo(first) ? [firstRoot, ...path] : [...path];
  const start = hashes.shift();
  if (start === undefined) return false;
  let node = first - 1;
  let last = second - 1;
  while (isOdd(node)) {
    node = half(node);
    last = half(last);
  }
  let oldHash = start;
  let newHash = start;
  for (const sibling of hashes) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      oldHash = nodeHash(hasher, sibling, oldHash);
      newHash = nodeHash(hasher, sibling, newHash);
      while (!isOdd(node) && node !== 0) {
        node = half(node);
        last = half(last);
      }
    } else {
      newHash = nodeHash(hasher, newHash, sibling);
    }
    node = half(node);
    last = half(last);
  }
  return last === 0 && sameHash(oldHash, firstRoot) && sameHash(newHash, secondRoot);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isHash(bytes: Uint8Array): boolean {
  return bytes.length === 32;
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function isPowerOfTwo(value: number): boolean {
  let rest = value;
  while (rest > 1 && rest % 2 === 0) rest /= 2;
  return rest === 1;
}
