import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeTermList, encodeTermList, postingOf } from './term-list.ts';

const number = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2 ** 50 }));
const passage = fc.record({
  weight: fc.integer({ min: 1, max: 400 }),
  length: fc.nat(10_000),
  frequencies: fc
    .dictionary(number.map(String), fc.integer({ min: 1, max: 500 }), { maxKeys: 12 })
    .map((record) => new Map(Object.entries(record).map(([term, count]) => [Number(term), count]))),
});

test('a stored list reads back as it was written', () => {
  fc.assert(
    fc.property(
      fc.array(passage, { maxLength: 200 }),
      fc.uniqueArray(number, { maxLength: 5 }),
      (passages, given) => {
        const attributes = [...given].sort((a, b) => a - b);
        const stops = attributes.slice(1);
        const read = decodeTermList(encodeTermList({ passages, attributes, stops }));
        expect(read.stops).toEqual(stops);
        expect(read.attributes).toEqual(attributes);
        expect(read.passages.map((one) => ({ ...one, frequencies: [...one.frequencies].sort() }))).toEqual(
          passages.map((one) => ({ ...one, frequencies: [...one.frequencies].sort() })),
        );
      },
    ),
    { numRuns: 50 },
  );
});

test('a document is about what it says often for its length, or in its title; stop words are posted only then', () => {
  const plain = {
    weight: 4,
    length: 100,
    frequencies: new Map([
      [1, 5],
      [2, 1],
    ]),
  };
  const title = { weight: 12, length: 4, frequencies: new Map([[3, 1]]) };
  const posting = postingOf(7, { passages: [plain, title], attributes: [9], stops: [1, 2] });
  expect(posting).toEqual({ doc: 7, terms: [3, 9], strong: [1, 3] });
});
