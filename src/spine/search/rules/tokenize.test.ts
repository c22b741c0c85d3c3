import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { termsIn, tokenize, wordsIn } from './tokenize.ts';

describe('the terms of a text', () => {
  test.each([
    ['Hopping cats', ['hop', 'cat']],
    ['createSearchIndex', ['createsearchindex', 'creat', 'search', 'index']],
    ['max_retry_count', ['max_retry_count', 'max', 'retri', 'count']],
    ['src/search/index.ts', ['src/search/index.ts', 'src', 'search', 'index', 'ts']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['two PDFs', ['two', 'pdf']],
    ["Ada's dog doesn't bark", ['ada', 'dog', 'doesnt', 'bark']],
    ['on 2024-05-08', ['on', '2024-05-08', '2024', '05', '08']],
    ['$1,250.50 or 1250.50', ['1250.50', '1250', '50', 'or', '1250.50', '1250', '50']],
    ['C++ and C# are not C', ['c++', 'and', 'c#', 'ar', 'not', 'c']],
    ['me@example.org', ['me@example.org', 'me', 'exampl', 'org']],
    ['東京都', ['東京', '京都']],
    ['हिन्दी', ['हिन्दी']],
  ])('%s', (text, terms) => {
    expect(termsIn(text)).toEqual(terms);
  });

  test('are the same however accents are encoded or left out', () => {
    expect(termsIn('Caf\u00e9')).toEqual(['cafe']);
    expect(termsIn('Cafe\u0301')).toEqual(['cafe']);
    expect(termsIn('cafe')).toEqual(['cafe']);
  });

  test('point back to where they were read', () => {
    expect([...tokenize('say helloWorld!')].map(({ start, end }) => [start, end])).toEqual([
      [0, 3],
      [4, 14],
      [4, 14],
      [4, 14],
    ]);
  });

  test('stay short and well formed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        for (const term of termsIn(text)) {
          expect(term.length).toBeLessThanOrEqual(64);
          expect(term).not.toBe('');
          expect(term).not.toMatch(/\p{Surrogate}/u);
        }
      }),
    );
  });

  test('of a huge unbroken run take no time to speak of and one key', () => {
    expect(termsIn('y'.repeat(200_000))).toEqual(['y'.repeat(64)]);
    expect(termsIn('-a'.repeat(100_000)).length).toBe(100_001);
  });
});

test('words for vectors are the parts of a compound, not stemmed', () => {
  expect(wordsIn('Restarting the HTTPServer in src/app.ts')).toEqual([
    'restarting',
    'the',
    'http',
    'server',
    'in',
    'src',
    'app',
    'ts',
  ]);
});
