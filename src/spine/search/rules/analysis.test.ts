import { describe, expect, it } from 'vitest';
import { analyze } from './analysis.ts';

const termsOf = (fields: Parameters<typeof analyze>[0]) =>
  new Set(analyze(fields).flatMap(({ frequencies }) => [...frequencies.keys()]));

describe('what is indexed of a document', () => {
  const flood = Array.from({ length: 400_000 }, (_, at) => `w${at.toString(36)}x`).join(' ');

  it('is a bounded share of the commit, whatever an agent deposits', () => {
    expect(termsOf([{ name: 'text', text: flood }]).size).toBeLessThan(2_500);
    const many = Array.from({ length: 100_000 }, (_, at) => ({ name: 'decision', text: `decide ${at}` }));
    expect(analyze(many).length).toBeLessThanOrEqual(500);
  });

  it('always has the short fields: a long text does not push out the title or the tags', () => {
    const terms = termsOf([
      { name: 'title', text: 'quarterly zebra' },
      { name: 'text', text: flood },
      { name: 'tags', text: 'giraffe' },
    ]);
    expect([...terms]).toEqual(expect.arrayContaining(['zebra', 'giraff']));
  });

  it('keeps the order of the fields', () => {
    const fields = analyze([
      { name: 'a', text: 'a longer text than the other' },
      { name: 'b', text: 'short' },
    ]).map(({ field }) => field);
    expect(fields).toEqual([0, 1]);
  });
});
