import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passagesOf } from './passages.ts';

const sentence = (name: string) => `${name} ${'goes on and on '.repeat(5)}until it ends.`;

describe('the passages of a text', () => {
  test('are the text itself when it is short', () => {
    expect(passagesOf('  One line.\n\nAnother.  ')).toEqual(['One line.\n\nAnother.']);
  });

  test('of a text of blanks are none', () => {
    expect(passagesOf(' \n\t ')).toEqual([]);
  });

  test('end at paragraphs first', () => {
    const [first, second] = [sentence('First'), sentence('Second')];
    expect(passagesOf(`${first}\n\n${second}`, 120)).toEqual([first, second]);
  });

  test('keep the turns of a conversation apart', () => {
    const turns = [`User: ${sentence('Question')}`, `Assistant: ${sentence('Answer')}`];
    expect(passagesOf(turns.join('\n'), 140)).toEqual(turns);
  });

  test('keep list items whole', () => {
    const items = ['one', 'two', 'three'].map((name) => `- ${sentence(name)}`);
    expect(passagesOf(items.join('\n'), 120)).toEqual(items);
  });

  test('hold several short neighbours together', () => {
    expect(passagesOf('aaaa\n\nbbbb\n\ncccc', 10)).toEqual(['aaaa\nbbbb', 'cccc']);
  });

  test('stay within bounds and lose no word', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'b', '💡', '.', '-', '*'),
      minLength: 1,
      maxLength: 12,
    });
    const gap = fc.constantFrom(' ', '\n', '\n\n', '. ');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, gap), { maxLength: 80 }), (pairs) => {
        const text = pairs.flat().join('');
        const passages = passagesOf(text, 40);
        for (const passage of passages) {
          expect(passage.length).toBeLessThanOrEqual(40);
          expect(passage).not.toMatch(/\p{Surrogate}/u);
        }
        expect(passages.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
    );
  });
});
