import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../platform/testing.ts';
import { alikePairs } from './alike.ts';

describe('texts that are alike', () => {
  it('are found whatever the order, the endings and the small words', () => {
    const texts = ['Run the tests before each commit', 'I live in Ghent', 'before each commit, run the test'];
    expect(alikePairs(texts)).toEqual([{ one: 0, other: 2, share: 1 }]);
  });

  it('are found among thousands of others', () => {
    const random = seededRandom(11);
    const word = () => `w${(random.bytes(2)[0] ?? 0) * 256 + (random.bytes(1)[0] ?? 0)}`;
    const texts = Array.from({ length: 3_000 }, () => Array.from({ length: 12 }, word).join(' '));
    const planted = [7, 1_500, 2_400];
    const twins = planted.map((at) => `${texts[at]} however`);
    const found = alikePairs([...texts, ...twins]);
    expect(found.map(({ one, other }) => [one, other])).toEqual(
      expect.arrayContaining(planted.map((at, index) => [at, texts.length + index])),
    );
    expect(found.every(({ share }) => share >= 0.8 && share <= 1)).toBe(true);
  });

  it('are no pair with nothing in them', () => {
    expect(alikePairs(['', '', '!'])).toEqual([]);
  });
});
