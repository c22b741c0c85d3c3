import { describe, expect, it } from 'vitest';
import { isOwner, mayActAs } from './access.ts';
import { testPrincipal } from './testing.ts';

describe('who a credential may act as', () => {
  const key = { kind: 'key', id: 'k' } as const;
  const hook = testPrincipal({
    actor: { id: 'hook', type: 'script' },
    credential: key,
    speaksFor: ['claude-*', 'bot'],
  });

  it('is its own actor, and those whom it speaks for', () => {
    expect(['hook', 'claude-7', 'bot'].map((id) => mayActAs(hook, id))).toEqual([true, true, true]);
    expect(['claude', 'bots', 'owner', '', '*', 'claude'].some((id) => mayActAs(hook, id))).toBe(false);
  });

  it('is anyone for the owner key, and nobody else for a key that holds every scope of its project', () => {
    expect(mayActAs(testPrincipal(), 'anyone')).toBe(true);
    const star = testPrincipal({ credential: key, actor: { id: 'star', type: 'agent' } });
    expect(star.scopes.has('*')).toBe(true);
    expect(mayActAs(star, 'anyone')).toBe(false);
    expect(isOwner(star)).toBe(false);
  });
});
