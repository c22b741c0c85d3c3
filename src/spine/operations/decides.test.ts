import { expect, it } from 'vitest';
import { isDecision } from './decides.ts';

it('a call decides always, never, or by what it is given', () => {
  expect(isDecision({}, { verdict: 'approve' })).toBe(false);
  expect(isDecision({ decides: true }, {})).toBe(true);
  const review = { decides: { input: 'verdict', values: ['approve'] } };
  expect(isDecision(review, { verdict: 'approve' })).toBe(true);
  expect(isDecision(review, { verdict: 'complete' })).toBe(false);
  expect(isDecision(review, {})).toBe(false);
});
