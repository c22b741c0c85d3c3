import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inline, quoted } from '../../../kernel/quoted.ts';
import { withinBudget } from './rules.ts';

describe('quotation', () => {
  it('keeps every line of others behind a mark, whatever they write', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const lines = quoted(text).split('\n');
        expect(lines.every((line) => line.startsWith('> '))).toBe(true);
        expect(inline(text)).not.toMatch(/[\n\r\u2028\u2029\u202e\u200b]/u);
      }),
    );
  });
});

describe('an orientation', () => {
  it('takes whole items only into its budget', () => {
    expect(withinBudget(['aaaa', 'b'.repeat(100), 'cc'], (one) => one, 10)).toEqual({
      kept: ['aaaa', 'cc'],
      bytes: 8,
      dropped: 1,
    });
  });
});
