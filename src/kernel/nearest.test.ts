import { describe, expect, it } from 'vitest';
import { nearest, suggestion } from './nearest.ts';

describe('the word that was meant', () => {
  it.each([
    ['wen', 'when'],
    ['reasno', 'reason'],
    ['max_cals', 'max_calls'],
    ['Timezone', 'timezone'],
    ['cost_feild', 'cost_field'],
  ])('takes %s for %s', (written, meant) => {
    expect(nearest(written, ['reason', 'max_calls', 'when', 'timezone', 'cost_field'])).toBe(meant);
  });

  it('guesses nothing where nothing is close', () => {
    expect(nearest('priority', ['reason', 'when'])).toBeUndefined();
    expect(suggestion('priority', ['reason', 'when'])).toBe('known are reason, when');
    expect(suggestion('wen', ['reason', 'when'])).toBe('did you mean when?');
  });

  it('is not slow with long words', () => {
    expect(nearest('x'.repeat(10_000), ['when'])).toBeUndefined();
  });
});
