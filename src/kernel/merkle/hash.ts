import type { Hasher } from '../hasher.ts';

/** RFC 6962 hashes leaves and nodes apart, so that a node can never pass for a leaf. */
const LEAF = 0;
const NODE = 1;

export function leafHash(hasher: Hasher, data: Uint8Array): Uint8Array {
  const input = new Uint8Array(1 + data.length);
  input[0] = LEAF;
  input.set(data, 1);
  return hasher.bytes(input);
}

export function nodeHash(hasher: Hasher, left: Uint8Array, right: Uint8Array): Uint8Array {
  const input = new Uint8Array(1 + left.length + right.length);
  input[0] = NODE;
  input.set(left, 1);
  input.set(right, 1 + left.length);
  return hasher.bytes(input);
}

export function emptyRoot(hasher: Hasher): Uint8Array {
  return hasher.bytes(new Uint8Array(0));
}

export function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
