import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../platform/testing.ts';
import { checkPassphrase, hashPassphrase, isStrongEnough, PASSPHRASE_COST } from './passphrase.ts';

describe('passphrases', () => {
  it('are kept as an expensive hash that only they fit', async () => {
    const stored = await hashPassphrase(seededRandom(1), 'caf\u00e9 au lait, please');
    expect(stored.cost).toBe(PASSPHRASE_COST);
    expect(PASSPHRASE_COST).toBeGreaterThanOrEqual(2 ** 15);
    expect(await checkPassphrase(stored, 'cafe\u0301 au lait, please')).toBe(true);
    expect(await checkPassphrase(stored, 'cafe au lait, please')).toBe(false);
  });

  it('have a salt each', async () => {
    const random = seededRandom(1);
    const [one, two] = [
      await hashPassphrase(random, 'same words here', 1024),
      await hashPassphrase(random, 'same words here', 1024),
    ];
    expect(one.hash).not.toBe(two.hash);
  });

  it('never fit where none is set', async () => {
    expect(await checkPassphrase(undefined, '', 1024)).toBe(false);
  });

  it('are counted in characters, not in code units', () => {
    expect(isStrongEnough('\u{1f6f0}'.repeat(9))).toBe(false);
    expect(isStrongEnough('\u{1f6f0}'.repeat(10))).toBe(true);
  });
});
