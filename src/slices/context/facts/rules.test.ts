import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeAssertion } from './rules.ts';

describe('an assertion', () => {
  const current = { factId: 'f', value: 'a', validFrom: '2026-01-01T00:00:00Z', fromMicros: 1_000 };

  it('never begins before what it replaces, whatever the clock says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), (now) => {
        const verdict = judgeAssertion(current, { value: 'b' }, now);
        expect(verdict.kind === 'assert' && verdict.fromMicros).toBe(Math.max(now, 1_000));
      }),
    );
  });

  it('is no change where asked and the value is the same', () => {
    expect(judgeAssertion(current, { value: 'a', ifChanged: true }, 5_000)).toEqual({ kind: 'unchanged' });
    expect(judgeAssertion(current, { value: 'a' }, 5_000).kind).toBe('assert');
    expect(() => judgeAssertion(undefined, { value: 'a', expectedValue: 'x' }, 0)).toThrow(/not the one/);
  });
});
