import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextCursor, readSyncCursor, type SyncCursor, writeSyncCursor } from './rules.ts';

const numbers = fc.integer({ min: 0, max: 999_999_999_999_999 });
const cursors: fc.Arbitrary<SyncCursor> = fc.oneof(
  fc.record({ kind: fc.constant('follow' as const), after: numbers }),
  fc.record({
    kind: fc.constant('copy' as const),
    head: numbers,
    step: fc.constantFrom('sessions' as const, 'packages' as const, 'facts' as const, 'blobs' as const),
    after: fc.string(),
  }),
);

describe('the cursor of a sync', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        expect(readSyncCursor(writeSyncCursor(cursor))).toEqual(cursor);
      }),
    );
  });

  it.each(['', 'follow:', 'follow:-1', 'copy:1:people:', 'copy:x:facts:', 'copy:1:facts', 'follow:1:'])(
    'is refused when it was not written by us: %s',
    (text) => {
      expect(() => readSyncCursor(text)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
    },
  );

  it('goes through every step of the copy, and then follows from where the copy began', () => {
    let cursor: SyncCursor = { kind: 'copy', head: 7, step: 'sessions', after: '' };
    const steps: string[] = [];
    while (cursor.kind === 'copy') {
      expect(nextCursor(cursor, 'more')).toEqual({ ...cursor, after: 'more' });
      steps.push(cursor.step);
      cursor = nextCursor(cursor, null);
    }
    expect(steps).toEqual(['sessions', 'packages', 'facts', 'blobs']);
    expect(cursor).toEqual({ kind: 'follow', after: 7 });
  });
});
