import { describe, expect, it } from 'vitest';
import { withinBudget } from './rules.ts';

describe('an orientation', () => {
  it('takes whole items only into its budget', () => {
    expect(withinBudget(['aaaa', 'b'.repeat(100), 'cc'], (one) => one, 10)).toEqual({
      kept: ['aaaa', 'cc'],
      bytes: 8,
      dropped: 1,
    });
  });
});
