import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatcher } from '../../../../kernel/glob.ts';
import { GlobIndex } from './glob-index.ts';

const letters = fc.constantFrom('a', 'b', '.', 'é', '😀');
const name = fc.array(letters, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
const glob = fc
  .array(fc.oneof({ arbitrary: letters, weight: 3 }, fc.constantFrom('*', '?')), { maxLength: 5 })
  .map((parts) => parts.join(''));

describe('the index of globs', () => {
  it('finds exactly the names that the glob matches one by one, however the glob is formed', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { maxLength: 12 }),
        fc.array(glob, { maxLength: 6 }),
        (names, globs) => {
          const index = new GlobIndex(new Map(names.map((each) => [each, each])));
          for (const each of [...globs, ...globs]) {
            expect([...index.matching(each)].sort()).toEqual(names.filter(globMatcher(each)).sort());
          }
        },
      ),
      { numRuns: process.env.BATON_PROVE ? 20_000 : 500 },
    );
  });
});
