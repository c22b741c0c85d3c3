import { describe, expect, it } from 'vitest';
import { Shares } from './shares.ts';

describe('places that are shared', () => {
  it('are so many for each owner, whatever the others hold', () => {
    const shares = new Shares({ each: 2 });
    const first = shares.take('ada');
    expect(shares.take('ada')).toBeDefined();
    expect(shares.take('ada')).toBeUndefined();
    expect(shares.take('eve')).toBeDefined();
    first?.();
    first?.();
    expect(shares.take('ada')).toBeDefined();
    expect(shares.take('ada')).toBeUndefined();
  });

  it('are so many in all', () => {
    const shares = new Shares({ each: 2, most: 3 });
    const taken = ['ada', 'ada', 'eve', 'eve', 'bob'].map((owner) => shares.take(owner));
    expect(taken.map((place) => place !== undefined)).toEqual([true, true, true, false, false]);
    taken[0]?.();
    expect(shares.take('bob')).toBeDefined();
  });
});
