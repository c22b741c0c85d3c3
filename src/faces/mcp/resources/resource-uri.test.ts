import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readResourceUri, writeResourceUri } from './resource-uri.ts';

const id = fc.string({ minLength: 1, unit: 'grapheme' });

describe('the address of a resource', () => {
  it('names any project and any package, whatever their ids are made of', () => {
    const ref = fc.oneof(
      fc.record({ kind: fc.constant('project' as const), projectId: id }),
      fc.record({ kind: fc.constant('facts' as const), projectId: id }),
      fc.record({ kind: fc.constant('package' as const), projectId: id, packageId: id }),
    );
    fc.assert(
      fc.property(ref, (given) => {
        expect(readResourceUri(writeResourceUri(given))).toEqual(given);
      }),
    );
  });

  it.each([
    'agp://project/',
    'agp://project/%zz',
    'agp://project/p/',
    'agp://project/p/facts/x',
    'agp://project/p/package',
    'agp://project/p/package/',
    'agp://project/p/package/a/b',
    'agp://else/p',
    'http://project/p',
  ])('is not %s', (uri) => {
    expect(readResourceUri(uri)).toBeUndefined();
  });
});
