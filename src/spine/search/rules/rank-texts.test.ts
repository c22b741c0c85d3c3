import { describe, expect, it } from 'vitest';
import { rankTexts } from './rank-texts.ts';

const DAY = 86_400_000_000;
const now = Date.parse('2026-03-04T12:00:00Z') * 1000;
const texts = [
  { text: 'The user lives in Oslo', time: now - 90 * DAY },
  { text: 'The user lives in Ghent, near the river', time: now - 5 * DAY },
  { text: 'The user likes chess', time: now - 5 * DAY },
];

describe('ranking texts that no index holds', () => {
  it('goes by stems, the rarest first, and leaves out what shares none', () => {
    expect(rankTexts(texts, 'living by a river', now).map(({ at }) => at)).toEqual([1, 0]);
  });

  it('understands dates in the question', () => {
    expect(rankTexts(texts, 'where did the user live three months ago', now)[0]?.at).toBe(0);
    expect(rankTexts(texts, 'where does the user live since last week', now)[0]?.at).toBe(1);
  });

  it('finds nothing where no word is shared, or among nothing', () => {
    expect(rankTexts(texts, 'quantum zebra', now)).toEqual([]);
    expect(rankTexts([], 'river', now)).toEqual([]);
  });
});
