import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMPOUND, visitCompounds } from './compounds.ts';

type Found = [start: number, end: number, plain: boolean];

const found = (text: string): Found[] => {
  const all: Found[] = [];
  visitCompounds(text, (...one) => all.push(one));
  return all;
};

/** By the expression alone. */
const defined = (text: string): [number, number][] =>
  [...text.matchAll(new RegExp(COMPOUND, 'gu'))].map((match) => [match.index, match.index + match[0].length]);

const nasty = fc.constantFrom(
  ...[...'abzAZ019 \n_-./\\:@\'’,+#"()*é“”–…東ンไहि²ⅷªß\u0301\u200d\u00a0\ufeff😀𝒜'],
  'word',
  'Word',
  'C++',
  'C#',
  '1,000',
  '\ud83d',
  '\ude00',
);

test('are exactly what the expression matches, whatever stands side by side', () => {
  fc.assert(
    fc.property(fc.array(nasty, { maxLength: 24 }), (pieces) => {
      const text = pieces.join('');
      expect(found(text).map(([start, end]) => [start, end])).toEqual(defined(text));
    }),
    { numRuns: 5_000 },
  );
});

test('of English text are plain where they need no second look, and only there', () => {
  fc.assert(
    fc.property(fc.array(nasty, { maxLength: 24 }), (pieces) => {
      const text = pieces.join('');
      for (const [start, end, plain] of found(text)) {
        if (plain) expect(text.slice(start, end)).toMatch(/^[A-Za-z][a-z]*$/);
      }
    }),
  );
  const text = "“It's done” – Ada said: see src/app.ts, (twice).";
  const plain = found(text).filter(([, , one]) => one);
  expect(plain.map(([start, end]) => text.slice(start, end))).toEqual([
    'done',
    'Ada',
    'said',
    'see',
    'twice',
  ]);
});
