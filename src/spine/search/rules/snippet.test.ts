import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { snippetOf } from './snippet.ts';

const filler = 'Nothing of note happened on that day and the log says so at length. '.repeat(12);

describe('a snippet', () => {
  test('is the whole text when that is short', () => {
    expect(snippetOf('A short\nnote.', new Map([['note', 1]]))).toBe('A short note.');
  });

  test('shows the place where the terms that weigh most stand together', () => {
    const text = `${filler}The index migration failed twice. ${filler}`;
    const snippet = snippetOf(
      text,
      new Map([
        ['migrat', 3],
        ['index', 2],
        ['day', 0.1],
      ]),
    );
    expect(snippet).toContain('index migration failed twice');
    expect(snippet.startsWith('…')).toBe(true);
    expect(snippet.endsWith('…')).toBe(true);
  });

  test('begins at the beginning when nothing matches', () => {
    expect(snippetOf(filler, new Map()).startsWith('Nothing of note')).toBe(true);
  });

  test('never passes its bound and never cuts a character in two', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '💡', 'é', '\n', 'word '), maxLength: 400 });
    fc.assert(
      fc.property(text, fc.integer({ min: 80, max: 240 }), (value, limit) => {
        const snippet = snippetOf(value, new Map([['word', 1]]), limit);
        expect(snippet.length).toBeLessThanOrEqual(limit);
        expect(snippet).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});
