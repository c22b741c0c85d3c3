import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../platform/testing.ts';
import { adjectives, chooseCallsign, nouns } from './callsign.ts';

const none = async () => new Set<string>();

describe('callsigns', () => {
  it('are made of two lists of 64 different short words', () => {
    for (const words of [adjectives, nouns]) {
      expect(words).toHaveLength(64);
      expect(new Set(words).size).toBe(64);
      for (const word of words) expect(word).toMatch(/^[a-z]{3,8}$/);
    }
    expect(adjectives.filter((word) => nouns.includes(word))).toEqual([]);
    expect(adjectives).toContain('coral');
    expect(nouns).toContain('heron');
  });

  it('are an adjective and a noun, whatever the randomness', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const [adjective, noun, ...rest] = (await chooseCallsign(seededRandom(seed), none)).split('-');
        expect(adjectives).toContain(adjective);
        expect(nouns).toContain(noun);
        expect(rest).toEqual([]);
      }),
    );
  });

  it('avoid every name that is taken', async () => {
    const taken = new Set<string>();
    const random = seededRandom(7);
    for (let i = 0; i < 1000; i++) {
      const name = await chooseCallsign(random, async (names) => new Set(names.filter((n) => taken.has(n))));
      expect(taken.has(name)).toBe(false);
      taken.add(name);
    }
  });

  it('get a number when all pairs are taken, and still end when everything is', async () => {
    const pairsTaken = async (names: readonly string[]) =>
      new Set(names.filter((name) => name.split('-').length === 2));
    expect(await chooseCallsign(seededRandom(3), pairsTaken)).toMatch(/^[a-z]+-[a-z]+-\d+$/);
    expect(await chooseCallsign(seededRandom(3), async (names) => new Set(names))).toMatch(/^[a-z]+-[a-z]+-/);
  });
});
