import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DocWeights } from './doc-weights.ts';

test('the heaviest documents are kept, the newest first among equals', () => {
  const entry = fc.record({
    docs: fc.uniqueArray(fc.integer({ min: 1, max: 20_000 }), { maxLength: 60 }),
    weight: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 6 }), fc.integer({ min: 1, max: 30 }), (lists, limit) => {
      const weights = new DocWeights();
      const sums = new Map<number, number>();
      for (const { docs, weight } of lists) {
        weights.add(docs, weight);
        for (const doc of docs) sums.set(doc, (sums.get(doc) ?? 0) + weight);
      }
      const expected = [...sums]
        .sort(([a, x], [b, y]) => y - x || b - a)
        .slice(0, limit)
        .map(([doc]) => doc);
      expect(weights.heaviest(limit).sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
    }),
  );
});
