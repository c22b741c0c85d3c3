import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCursor, writeCursor } from './paging.ts';

describe('paging', () => {
  it('a cursor survives its travel, and nonsense is refused', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.nat(), (micros, seq) => {
        expect(readCursor(writeCursor({ micros, seq }))).toEqual({ micros, seq });
      }),
    );
    expect(() => readCursor('nonsense')).toThrow(/not valid/);
  });
});
