import { describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../../kernel/json/loose.ts';
import { checkPolicy, normalizePolicy } from './policy.ts';

const good: LooseRecord = { agentPattern: '*', allow: ['a2p:preferences'], permissions: ['read_scoped'] };

/** Where a policy with these changes is refused; undefined where it is taken. */
function faultIn(changes: LooseRecord): string | undefined {
  try {
    checkPolicy({ ...good, ...changes });
    return undefined;
  } catch (error) {
    return (error as { readonly pointer?: string }).pointer;
  }
}

describe('a policy that a person writes', () => {
  it.each([
    [{}, undefined],
    [{ agentPattern: '' }, '/agentPattern'],
    [{ agentPattern: undefined }, '/agentPattern'],
    [{ allow: 'a2p:*' }, '/allow'],
    [{ deny: ['a2p:*', 'no scope'] }, '/deny/1'],
    [{ allow: [1] }, '/allow/0'],
    [{ permissions: undefined }, '/permissions'],
    [{ permissions: ['read_scoped', 'read_all'] }, '/permissions'],
    [{ priority: 0 }, undefined],
    [{ priority: -1 }, '/priority'],
    [{ priority: 1.5 }, '/priority'],
    [{ conditions: { rateLimit: { requests: 1, window: '1h' } } }, undefined],
    [{ conditions: { rateLimit: { requests: 0 } } }, '/conditions/rateLimit'],
    [{ conditions: { rateLimit: { requests: 1, window: 'soon' } } }, '/conditions/rateLimit'],
  ])('with %j is refused at %s', (changes, pointer) => {
    expect(faultIn(changes)).toBe(pointer);
  });

  const limitOf = (rateLimit: unknown) => normalizePolicy({ ...good, conditions: { rateLimit } }).rateLimit;

  it.each([
    [
      { requests: 10, window: '1h' },
      { limit: 10, windowSeconds: 3_600 },
    ],
    [
      { maxRequests: 10, window: 60 },
      { limit: 10, windowSeconds: 60 },
    ],
    [
      { requests: 10, window: 31_536_000 },
      { limit: 10, windowSeconds: 31_536_000 },
    ],
    [
      { requests: 10, window: 31_536_001 },
      { limit: 0, windowSeconds: 3_600 },
    ],
    [
      { requests: 10, window: 0 },
      { limit: 0, windowSeconds: 3_600 },
    ],
    [
      { requests: 10, window: 0.5 },
      { limit: 0, windowSeconds: 3_600 },
    ],
    [
      { requests: 10, window: 'soon' },
      { limit: 0, windowSeconds: 3_600 },
    ],
    [{ requests: 0 }, { limit: 0, windowSeconds: 3_600 }],
    [undefined, undefined],
  ])('limits by %j to %j: what cannot be read lets nothing through', (given, limit) => {
    expect(limitOf(given)).toEqual(limit);
  });
});
