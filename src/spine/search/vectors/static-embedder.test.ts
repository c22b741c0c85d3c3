import { describe, expect, test } from 'vitest';
import { BatonError } from '../../../kernel/error.ts';
import { createStaticEmbedder } from './static-embedder.ts';
import { readWordVectors } from './word-vectors.ts';

const embedder = createStaticEmbedder();
const alike = (a: string, b: string): number => {
  const [x, y] = embedder.embedNow([a, b]) as [Float32Array, Float32Array];
  return x.reduce((sum, value, at) => sum + value * (y[at] as number), 0);
};

describe('the embedder that comes with the product', () => {
  test('knows related words without a shared letter', () => {
    expect(alike('physician', 'a doctor at the hospital')).toBeGreaterThan(embedder.floor);
    expect(alike('repair my automobile', 'fix the car')).toBeGreaterThan(embedder.floor);
  });

  test('keeps unrelated texts apart', () => {
    expect(alike('zebra', 'the quarterly budget was approved')).toBeLessThan(embedder.floor);
    expect(alike('violin lessons', 'kernel panic after the update')).toBeLessThan(embedder.floor);
  });

  test('gives vectors of length 1, and zeros for a text without a known word', async () => {
    const [known, unknown] = (await embedder.embed(['a blue house', 'qzxv 的 !!'])) as [
      Float32Array,
      Float32Array,
    ];
    expect(known.length).toBe(embedder.dim);
    expect(Math.hypot(...known)).toBeCloseTo(1, 5);
    expect([...unknown].every((value) => value === 0)).toBe(true);
  });

  test('reads the parts of identifiers', () => {
    expect(alike('repairAutomobile', 'fix the car')).toBeGreaterThan(embedder.floor);
  });

  test('embeds the same whether it was made ready before or not', async () => {
    const ready = createStaticEmbedder();
    await ready.prepare();
    expect(ready.embedNow(['a blue house'])).toEqual(embedder.embedNow(['a blue house']));
  });

  test('says at once when its table is missing', () => {
    expect(() => readWordVectors('/nowhere')).toThrowError(BatonError);
  });
});
