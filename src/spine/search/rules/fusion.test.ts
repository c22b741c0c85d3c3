import { describe, expect, test } from 'vitest';
import { inverseFrequency, LENGTH_OF_DOCUMENT, saturation as saturationBy } from './bm25.ts';
import { fuse, SHARES } from './fusion.ts';

const saturation = (frequency: number, length: number, average: number) =>
  saturationBy(frequency, length, average, LENGTH_OF_DOCUMENT);
const NOTHING = { periods: [], ofSelf: false };
const none = { document: 0, passage: 0, personal: 0, cosine: Number.NaN, time: null };

describe('BM25', () => {
  test('a rare term weighs more, and none weighs less than nothing', () => {
    expect(inverseFrequency(1000, 1)).toBeGreaterThan(inverseFrequency(1000, 500));
    expect(inverseFrequency(10, 10)).toBeGreaterThan(0);
  });

  test('repetition helps less and less, length takes away', () => {
    const once = saturation(1, 100, 100);
    expect(once).toBe(1);
    expect(saturation(2, 100, 100) - once).toBeGreaterThan(saturation(3, 100, 100) - saturation(2, 100, 100));
    expect(saturation(1, 200, 100)).toBeLessThan(once);
    expect(saturation(1_000_000, 100, 100)).toBeLessThan(2.5);
  });
});

describe('fusion', () => {
  test('the best in everything gets the full score, and the parts add up', () => {
    const [best, other] = fuse(
      [
        { document: 4, passage: 3, personal: 0, cosine: 0.9, time: null },
        { document: 2, passage: 1, personal: 0, cosine: 0.1, time: null },
      ],
      NOTHING,
      0.4,
    );
    expect(best?.score).toBeCloseTo(SHARES.document + SHARES.passage + SHARES.vector);
    expect(other?.vector).toBe(0);
    for (const one of [best, other]) expect(one?.score).toBeCloseTo((one?.text ?? 0) + (one?.vector ?? 0));
  });

  test('what shares no term counts only if it is near', () => {
    const [near, far, unknown] = fuse(
      [{ ...none, cosine: 0.7 }, { ...none, cosine: 0.2 }, none],
      NOTHING,
      0.4,
    );
    expect(near?.score).toBeGreaterThan(0);
    expect(far).toBeUndefined();
    expect(unknown).toBeUndefined();
  });

  test('a document from the period that the query names goes first among equals', () => {
    const period = [{ from: 1000, to: 2000 }];
    const same = { document: 1, passage: 1, personal: 0, cosine: Number.NaN };
    const [inside, outside] = fuse(
      [
        { ...same, time: 1500 },
        { ...same, time: 9e15 },
      ],
      { ...NOTHING, periods: period },
      0.4,
    );
    expect(inside?.score).toBeGreaterThan(outside?.score ?? 1);
  });

  test('words lead: vectors alone never outrank the best match of words', () => {
    const [words, vectors] = fuse(
      [
        { document: 5, passage: 5, personal: 0, cosine: 0, time: null },
        { ...none, cosine: 1 },
      ],
      NOTHING,
      0.4,
    );
    expect(words?.score).toBeGreaterThan(vectors?.score ?? 1);
  });

  test('what a speaker told of themselves counts if they ask about themselves', () => {
    const told = { document: 1, passage: 1, personal: 1, cosine: Number.NaN, time: null };
    const heard = { ...told, personal: 0 };
    const scores = (ofSelf: boolean) =>
      fuse([told, heard], { periods: [], ofSelf }, 0.4).map((one) => one?.score);
    expect(scores(true)[0]).toBeGreaterThan(scores(true)[1] ?? 1);
    expect(scores(false)[0]).toBe(scores(false)[1]);
  });
});
