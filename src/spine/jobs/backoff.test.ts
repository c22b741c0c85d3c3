import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../platform/testing.ts';
import { retryDelay } from './backoff.ts';

describe('the wait before a retry', () => {
  it('doubles with each attempt, never passes the longest, and is spread over its upper half', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(), (attempts, seed) => {
        const delay = retryDelay(attempts, { firstSeconds: 1, longestSeconds: 600 }, seededRandom(seed));
        const full = Math.min(2 ** (attempts - 1), 600) * 1_000_000;
        expect(delay).toBeGreaterThanOrEqual(full / 2);
        expect(delay).toBeLessThanOrEqual(full);
      }),
    );
  });
});
