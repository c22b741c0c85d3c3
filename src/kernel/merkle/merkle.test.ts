import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../platform/index.ts';
import { toHex } from '../base64.ts';
import { CompactRange, peakPositions, rootFromLeaves } from './compact-range.ts';
import { emptyRoot, leafHash, nodeHash } from './hash.ts';
import { consistencyPath, inclusionPath, type NodeAt } from './paths.ts';
import { verifyConsistency, verifyInclusion } from './verify.ts';

const LARGEST = process.env.BATON_PROVE === '1' ? 2000 : 300;
const leaves = Array.from({ length: LARGEST }, (_, at) =>
  leafHash(nodeHasher, new TextEncoder().encode(`leaf ${at}`)),
);

/** The definitions of RFC 6962 2.1, word by word, as the oracle. */
const naive = {
  known: new Map<string, Uint8Array>(),
  root(begin: number, end: number): Uint8Array {
    if (end === begin) return emptyRoot(nodeHasher);
    if (end - begin === 1) return leaves[begin] as Uint8Array;
    const key = `${begin}-${end}`;
    const known = naive.known.get(key);
    if (known !== undefined) return known;
    const middle = begin + naive.split(end - begin);
    const hash = nodeHash(nodeHasher, naive.root(begin, middle), naive.root(middle, end));
    naive.known.set(key, hash);
    return hash;
  },
  path(index: number, begin: number, end: number): Uint8Array[] {
    if (end - begin === 1) return [];
    const middle = begin + naive.split(end - begin);
    return index < middle
      ? [...naive.path(index, begin, middle), naive.root(middle, end)]
      : [...naive.path(index, middle, end), naive.root(begin, middle)];
  },
  subproof(first: number, begin: number, end: number, whole: boolean): Uint8Array[] {
    if (first === end) return whole ? [] : [naive.root(begin, end)];
    const middle = begin + naive.split(end - begin);
    return first <= middle
      ? [...naive.subproof(first, begin, middle, whole), naive.root(middle, end)]
      : [...naive.subproof(first, middle, end, false), naive.root(begin, middle)];
  },
  split: (count: number) => 2 ** (Math.ceil(Math.log2(count)) - 1),
};

const nodes = new Map<string, Uint8Array>();
const roots = [emptyRoot(nodeHasher)];
const range = new CompactRange(nodeHasher);
for (const leaf of leaves) {
  for (const { level, index, hash } of range.append(leaf)) nodes.set(`${level}/${index}`, hash);
  roots.push(range.root());
}
const nodeAt: NodeAt = (level, index) => {
  const node = nodes.get(`${level}/${index}`);
  if (node === undefined) throw new Error(`There is no full subtree ${level}/${index}.`);
  return node;
};
const rootOf = (size: number) => roots[size] as Uint8Array;
const hex = (hashes: readonly Uint8Array[]) => hashes.map(toHex);

/** All pairs when the tree is small; a sample of 2,000 sizes' worth when it is large. */
async function forPairs(check: (smaller: number, larger: number) => Promise<void>): Promise<void> {
  if (LARGEST <= 300) {
    for (let larger = 1; larger <= LARGEST; larger += 1) {
      for (let smaller = 0; smaller < larger; smaller += 1) await check(smaller, larger);
    }
    return;
  }
  const pair = fc
    .integer({ min: 1, max: LARGEST })
    .chain((larger) => fc.tuple(fc.nat(larger - 1), fc.constant(larger)));
  await fc.assert(
    fc.asyncProperty(pair, ([smaller, larger]) => check(smaller, larger)),
    { numRuns: 20_000 },
  );
}

describe('a Merkle tree', () => {
  it('has the root of the definition at every size', () => {
    for (let size = 0; size <= LARGEST; size += 1) {
      expect(toHex(rootOf(size))).toBe(toHex(naive.root(0, size)));
    }
    expect(rootFromLeaves(nodeHasher, leaves)).toEqual(rootOf(LARGEST));
  });

  it('goes on from its peaks alone', () => {
    for (const size of [0, 1, 2, 3, 100, 127, 128, 255, 299]) {
      const peaks = peakPositions(0, size).map(({ level, index }) => nodeAt(level, index) as Uint8Array);
      const resumed = new CompactRange(nodeHasher, size, peaks);
      for (const leaf of leaves.slice(size, 300)) resumed.append(leaf);
      expect(resumed.root()).toEqual(rootOf(300));
      expect(resumed.size).toBe(300);
    }
    expect(() => new CompactRange(nodeHasher, 3, [])).toThrow('has 2 peaks, not 0');
  });

  it('proves every leaf of every size by the path of the definition', async () => {
    await forPairs(async (index, size) => {
      const path = await inclusionPath(nodeHasher, size, index, nodeAt);
      const proof = { leaf: leaves[index] as Uint8Array, index, size, path, root: rootOf(size) };
      if (!verifyInclusion(nodeHasher, proof)) expect.fail(`leaf ${index} of ${size}`);
      if (path.length > Math.ceil(Math.log2(size)))
        expect.fail(`path of leaf ${index} of ${size} is too long`);
      if (size % 7 === 0 || LARGEST > 300) expect(hex(path)).toEqual(hex(naive.path(index, 0, size)));
    });
  });

  it('proves every size a prefix of every larger one by the path of the definition', async () => {
    await forPairs(async (first, second) => {
      const path = await consistencyPath(nodeHasher, first, second, nodeAt);
      const claim = { first, second, firstRoot: rootOf(first), secondRoot: rootOf(second), path };
      if (!verifyConsistency(nodeHasher, claim)) expect.fail(`${first} in ${second}`);
      if (first > 0 && (second % 7 === 0 || LARGEST > 300)) {
        expect(hex(path)).toEqual(hex(naive.subproof(first, 0, second, true)));
      }
    });
  });

  it('refuses a leaf or a size that it does not have', async () => {
    await expect(inclusionPath(nodeHasher, 5, 5, nodeAt)).rejects.toThrow('has no leaf 5');
    await expect(inclusionPath(nodeHasher, 5, -1, nodeAt)).rejects.toThrow(RangeError);
    await expect(consistencyPath(nodeHasher, 6, 5, nodeAt)).rejects.toThrow(RangeError);
  });

  it('addresses leaves far beyond 32 bits', async () => {
    const size = 2 ** 45 + 3;
    const fill = (level: number, index: number) => nodeHasher.bytes(`${level}/${index}`);
    const path = await inclusionPath(nodeHasher, size, 2 ** 45 + 1, fill);
    expect(hex(path)).toEqual(hex([fill(0, 2 ** 45), fill(0, 2 ** 45 + 2), fill(45, 0)]));
    const right = nodeHash(
      nodeHasher,
      nodeHash(nodeHasher, fill(0, 2 ** 45), fill(7, 7)),
      fill(0, 2 ** 45 + 2),
    );
    const root = nodeHash(nodeHasher, fill(45, 0), right);
    expect(verifyInclusion(nodeHasher, { leaf: fill(7, 7), index: 2 ** 45 + 1, size, path, root })).toBe(
      true,
    );
  });
});

describe('a forged proof', () => {
  const flip = (hash: Uint8Array) => Uint8Array.from(hash, (byte, at) => (at === 13 ? byte ^ 1 : byte));

  it('of inclusion is refused, whatever part is changed', async () => {
    for (const [index, size] of [
      [0, 1],
      [3, 8],
      [6, 7],
      [100, 237],
      [298, 299],
    ] as const) {
      const path = await inclusionPath(nodeHasher, size, index, nodeAt);
      const proof = { leaf: leaves[index] as Uint8Array, index, size, path, root: rootOf(size) };
      const forged = [
        { ...proof, leaf: flip(proof.leaf) },
        { ...proof, root: flip(proof.root) },
        { ...proof, index: index + 1 },
        { ...proof, index: -1 },
        { ...proof, index: 0.5 },
        { ...proof, size: index },
        { ...proof, path: [...path, flip(proof.leaf)] },
        ...path.map((hash, at) => ({ ...proof, path: path.with(at, flip(hash)) })),
        ...path.map((_, at) => ({ ...proof, path: path.toSpliced(at, 1) })),
        ...path.map((hash, at) => ({ ...proof, path: path.with(at, hash.subarray(1)) })),
      ];
      for (const one of forged) expect(verifyInclusion(nodeHasher, one)).toBe(false);
    }
  });

  it('of consistency is refused, whatever part is changed', async () => {
    for (const [first, second] of [
      [1, 2],
      [3, 7],
      [4, 8],
      [100, 237],
      [128, 299],
    ] as const) {
      const path = await consistencyPath(nodeHasher, first, second, nodeAt);
      const claim = { first, second, firstRoot: rootOf(first), secondRoot: rootOf(second), path };
      const forged = [
        { ...claim, firstRoot: flip(claim.firstRoot) },
        { ...claim, secondRoot: flip(claim.secondRoot) },
        { ...claim, first: first + 1 },
        { ...claim, first: second, second: first },
        { ...claim, path: [] },
        { ...claim, path: [...path, flip(claim.firstRoot)] },
        ...path.map((hash, at) => ({ ...claim, path: path.with(at, flip(hash)) })),
        ...path.map((_, at) => ({ ...claim, path: path.toSpliced(at, 1) })),
      ];
      for (const one of forged) expect(verifyConsistency(nodeHasher, one)).toBe(false);
    }
    const same = { first: 5, second: 5, firstRoot: rootOf(5), secondRoot: rootOf(5) };
    expect(verifyConsistency(nodeHasher, { ...same, path: [] })).toBe(true);
    expect(verifyConsistency(nodeHasher, { ...same, path: [rootOf(5)] })).toBe(false);
    expect(verifyConsistency(nodeHasher, { ...same, secondRoot: rootOf(6), path: [] })).toBe(false);
    expect(
      verifyConsistency(nodeHasher, {
        first: 0,
        second: 5,
        firstRoot: rootOf(1),
        secondRoot: rootOf(5),
        path: [],
      }),
    ).toBe(false);
  });
});
