import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CodeBook } from './code-book.ts';
import { toUnitVector } from './embedder.ts';
import { nearest, packVectors } from './packed-vectors.ts';
import { ones, packCodes, signCode } from './sign-code.ts';

const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 16, maxLength: 16 })
  .map(toUnitVector)
  .filter((value) => value.some((one) => one !== 0));
const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);

describe('packed vectors', () => {
  test('answer the cosine of the nearest passage, to within the rounding', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 6 }), vector, (passages, query) => {
        const found = nearest(packVectors(passages), query);
        const exact = Math.max(...passages.map((one) => dot(one, query)));
        expect(Math.abs(found.cosine - exact)).toBeLessThan(0.02);
      }),
    );
  });

  test('of a passage that says nothing are no match at all', () => {
    const query = toUnitVector([1, 2]);
    expect(nearest(packVectors([new Float32Array(2)]), query).cosine).toBeNaN();
    expect(nearest(packVectors([new Float32Array(2), query]), query).at).toBe(1);
  });

  test('of another length are no match either', () => {
    expect(nearest(packVectors([toUnitVector([1, 2, 3])]), toUnitVector([1, 2])).cosine).toBeNaN();
  });
});

const differing = (a: Uint32Array, b: Uint32Array) =>
  a.reduce((sum, word, at) => sum + ones(word ^ (b[at] as number)), 0);

describe('sign codes', () => {
  test('of the same vector agree, of the opposite one disagree', () => {
    fc.assert(
      fc.property(vector, (one) => {
        const same = differing(signCode(one), signCode(one));
        const opposite = differing(signCode(one), signCode(one.map((value) => -value)));
        expect(same).toBe(0);
        expect(opposite).toBeGreaterThan(90);
      }),
    );
  });

  test('put a near vector before far ones', () => {
    const base = toUnitVector(Array.from({ length: 100 }, (_, at) => Math.sin(at * 7.3)));
    const near = toUnitVector(base.map((value, at) => value + 0.05 * Math.cos(at * 3.1)));
    const book = new CodeBook();
    for (let doc = 1; doc <= 1_500; doc += 1) {
      const other = toUnitVector(Array.from({ length: 100 }, (_, at) => Math.sin(at * doc + doc)));
      book.add(doc, Buffer.from(packCodes([doc === 1_234 ? near : other].map(signCode))).toString('hex'));
    }
    const found = book.nearest(signCode(base), 5).sort(([a], [b]) => a - b);
    expect(found[0]?.[1]).toBe(1_234);
    expect(found.length).toBeLessThan(50);
  });
});
