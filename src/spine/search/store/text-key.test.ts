import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textKey } from './group-by.ts';

const text = fc.string({ unit: fc.constantFrom('1', ' ', ':', 'a'), maxLength: 6 });
const texts = fc.array(text, { minLength: 3, maxLength: 3 });

test('a key is the same for the same texts only', () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      expect(textKey(...one) === textKey(...other)).toBe(one.every((value, at) => value === other[at]));
    }),
    { numRuns: 2_000 },
  );
  expect(textKey('a', 'bc')).not.toBe(textKey('ab', 'c'));
});
