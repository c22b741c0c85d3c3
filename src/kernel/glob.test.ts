import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globCovers, globMatcher } from './glob.ts';

describe('a glob', () => {
  it.each([
    ['resource.read', 'resource.read', true],
    ['resource.read', 'resource.reads', false],
    ['*', '', true],
    ['*', 'any.thing', true],
    ['resource.*', 'resource.read', true],
    ['resource.*', 'resource.', true],
    ['resource.*', 'resource', false],
    ['*.delete', 'a.b.delete', true],
    ['*.delete', 'a.b.deleted', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'acb', false],
    ['a?c', 'abc', true],
    ['a?c', 'a😀c', true],
    ['a?c', 'ac', false],
    ['?', '', false],
    ['a.c', 'abc', false],
    ['[a]', 'a', false],
    ['', '', true],
    ['', 'a', false],
    ['a\nb*', 'a\nbc', true],
  ])('%j against %j is %s', (pattern, text, matches) => {
    expect(globMatcher(pattern)(text)).toBe(matches);
  });

  it('agrees with a regular expression of the same meaning', () => {
    const unit = fc.constantFrom('a', 'b', '.', '*', '?', '😀');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), fc.string({ unit, maxLength: 10 }), (pattern, text) => {
        const source = Array.from(pattern, (part) =>
          part === '*' ? '.*' : part === '?' ? '.' : `\\u{${part.codePointAt(0)?.toString(16)}}`,
        );
        expect(globMatcher(pattern)(text)).toBe(new RegExp(`^${source.join('')}$`, 'su').test(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes no longer than pattern times text', () => {
    expect(globMatcher('*a'.repeat(200))(`${'a'.repeat(2000)}b`)).toBe(false);
  });
});

describe('a glob that covers another', () => {
  it.each([
    ['*', 'a*', true],
    ['*', '', true],
    ['team-*', 'team-a', true],
    ['team-*', 'team-a-*', true],
    ['team-*', 'team*', false],
    ['a?', 'a?', true],
    ['a?', 'a*', false],
    ['a?', '??', false],
    ['a*b*', 'a*b', true],
    ['a', '*', false],
    ['a', '?', false],
  ])('%j over %j is %s', (outer, inner, covers) => {
    expect(globCovers(outer, inner)).toBe(covers);
  });

  it('never covers a pattern that matches something which it does not', () => {
    const unit = fc.constantFrom('a', 'b', '*', '?');
    const pattern = fc.string({ unit, maxLength: 6 });
    fc.assert(
      fc.property(pattern, pattern, fc.string({ unit, maxLength: 8 }), (outer, inner, text) => {
        if (globCovers(outer, inner) && globMatcher(inner)(text)) expect(globMatcher(outer)(text)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});
