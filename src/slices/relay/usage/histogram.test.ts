import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addHistogram, classOf, percentileOf, readHistogram, writeHistogram } from './histogram.ts';

const counted = (durations: readonly number[]) => {
  const histogram = new Map<number, number>();
  for (const duration of durations) addHistogram(histogram, new Map([[classOf(duration), 1]]));
  return histogram;
};
const durations = fc.array(fc.integer({ min: 1, max: 3_600_000_000 }), { minLength: 1, maxLength: 200 });

it('reads percentiles within a tenth of the exact ones', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95, 0.99), (list, part) => {
      const exact = list.toSorted((a, b) => a - b)[Math.ceil(part * list.length) - 1] as number;
      const read = percentileOf(counted(list), part);
      expect(Math.abs(read - exact)).toBeLessThanOrEqual(exact * 0.1);
    }),
  );
});

it('comes back as it was written, and adds up in any order', () => {
  fc.assert(
    fc.property(durations, durations, (one, two) => {
      const sum = counted(one);
      addHistogram(sum, counted(two));
      expect(writeHistogram(sum)).toBe(writeHistogram(counted([...two, ...one])));
      expect(readHistogram(writeHistogram(sum))).toEqual(new Map([...sum].sort(([a], [b]) => a - b)));
    }),
  );
  expect(percentileOf(new Map(), 0.5)).toBe(0);
});
