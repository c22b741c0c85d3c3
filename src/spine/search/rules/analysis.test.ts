import { describe, expect, it } from 'vitest';
import { analyze } from './analysis.ts';
import { analyzePacked, unpackPassage } from './packed-analysis.ts';

const termsOf = (fields: Parameters<typeof analyze>[0]) =>
  new Set(analyze(fields).passages.flatMap(({ frequencies }) => [...frequencies.keys()]));

describe('what is indexed of a document', () => {
  const flood = Array.from({ length: 400_000 }, (_, at) => `w${at.toString(36)}x`).join(' ');

  it('is a bounded share of the commit, whatever an agent deposits', () => {
    expect(termsOf([{ name: 'text', text: flood }]).size).toBeLessThan(21_000);
    const many = Array.from({ length: 100_000 }, (_, at) => ({ name: 'decision', text: `decide ${at}` }));
    expect(analyze(many).passages.length).toBeLessThanOrEqual(500);
  });

  it('always has the short fields: a long text does not push out the title or the tags', () => {
    const terms = termsOf([
      { name: 'title', text: 'quarterly zebra' },
      { name: 'text', text: flood },
      { name: 'tags', text: 'giraffe' },
    ]);
    expect([...terms]).toEqual(expect.arrayContaining(['zebra', 'giraff']));
  });

  it('says whether it is all of it', () => {
    const text = (words: number) => [
      { name: 'title', text: 'notes' },
      { name: 'text', text: 'of a few words '.repeat(words) },
      { name: 'tags', text: '' },
    ];
    expect(analyze(text(10_000)).whole).toBe(true);
    expect(analyze(text(50_000)).whole).toBe(false);
    expect(analyze([{ name: 'text', text: flood }]).whole).toBe(false);
    expect(analyze(Array.from({ length: 501 }, () => ({ name: 'tag', text: 'a' }))).whole).toBe(false);
    expect(analyze(Array.from({ length: 500 }, () => ({ name: 'tag', text: 'a' }))).whole).toBe(true);
  });

  it('is the same after it was handed over by a thread', () => {
    const fields = [
      { name: 'title', text: 'quarterly zebra' },
      { name: 'text', text: `${flood.slice(0, 50_000)} snake_case isn't 漢字 1,000` },
    ];
    const packed = structuredClone(analyzePacked(fields));
    expect(packed.passages.map(unpackPassage)).toEqual(analyze(fields).passages);
  });

  it('keeps the order of the fields', () => {
    const fields = analyze([
      { name: 'a', text: 'a longer text than the other' },
      { name: 'b', text: 'short' },
    ]).passages.map(({ field }) => field);
    expect(fields).toEqual([0, 1]);
  });
});
