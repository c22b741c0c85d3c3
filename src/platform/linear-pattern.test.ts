import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearPattern } from './linear-pattern.ts';

const atom = fc.constantFrom(
  'a',
  'b',
  '7',
  '.',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '[ab]',
  '[^a]',
  '[\\s\\d]',
  '[\\s\\S]',
  '[^]',
  '[]',
  '[[]',
  '[a\\]b]',
  '[.]',
  '\\.',
  '\\/',
  '\\u0061',
  '\\x61',
  '\\u{1F600}',
  '\\p{Lu}',
  '\\p{Script=Greek}',
  '\\P{L}',
  '(?:ab)',
  '(a|b)',
  '(?<n>a)',
  '^',
  '$',
  '\\b',
  '\\n',
  '\\t',
  '-',
  'é',
  '\\cJ',
);
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{0,}', '*?', '+?');
const source = fc
  .array(fc.tuple(atom, quantifier), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([what, often]) => (/^(\^|\$|\\b)$/.test(what) ? what : what + often)).join(''))
  .filter((text) => (text.match(/\(\?<n>/g) ?? []).length < 2);
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      '7',
      ' ',
      '\u00a0',
      '\n',
      '\r',
      '\u2028',
      '.',
      '-',
      '/',
      'é',
      'Σ',
      'A',
      '😀',
      ']',
      '[',
    ),
    { maxLength: 8 },
  )
  .map((letters) => letters.join(''));

function cpuMillis(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('a pattern from outside', () => {
  it('finds what the same pattern of the language finds', () => {
    fc.assert(
      fc.property(source, text, (pattern, given) => {
        const made = linearPattern(pattern);
        expect(made).toMatchObject({ ok: true });
        if (!made.ok) return;
        expect(made.pattern.test(given)).toBe(new RegExp(pattern, 'u').test(given));
        expect(made.pattern.replaceAll(given, '$1#')).toBe(
          given.replaceAll(new RegExp(pattern, 'gu'), () => '$1#'),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', 'a{2000}', '(a{999}){999}'])(
    'is refused with the reason where it cannot be read in one pass: %s',
    (pattern) => {
      const made = linearPattern(pattern);
      expect(made).toMatchObject({ ok: false, problem: expect.stringContaining('linear time') });
    },
  );

  it.each(['(', 'a{2,1}', '\\p{Nothing}', '(?i)a', '\\Qa\\E'])(
    'is refused where it is none of the language: %s',
    (pattern) => expect(linearPattern(pattern)).toMatchObject({ ok: false }),
  );

  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a*)*b',
    '(x+x+)+y',
    '^(\\w+\\s?)*$',
    '(.*)(.*)(.*)(.*)(.*)=',
    '(a?){50}a{50}',
  ])('cannot hold anybody up: %s on a megabyte', (pattern) => {
    const made = linearPattern(pattern);
    if (!made.ok) throw new Error(made.problem);
    for (const letter of ['a', 'x', 'a ']) {
      const given = `${letter.repeat(1_000_000 / letter.length)}!`;
      expect(cpuMillis(() => made.pattern.test(given))).toBeLessThan(3_000);
    }
  });
});
