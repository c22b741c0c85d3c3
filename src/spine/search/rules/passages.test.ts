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

  test('are the turns of a conversation, however short, and what was said before it', () => {
    const turns = [
      'user: Which lamp did we buy for the hall, the tall one?',
      'assistant: The tall one.\n\nIt came on Monday, with both of its shades.',
      'user: And where did the other one go in the end?',
      'assistant: To the attic.',
    ];
    expect(passagesOf(['Talk about lamps', ...turns].join('\n\n'))).toEqual(['Talk about lamps', ...turns]);
    expect(passagesOf(turns.join('\n'), undefined, false)).toEqual([turns.join('\n')]);
  });

  test.each([
    ['a record', 'Name: lamp\nPrice: 20\n\nName: sofa\nPrice: 300'],
    ['headings', 'Note: the door.\nWarning: the stairs are steep and the light there is broken since May.'],
    ['one speaker', `Ada: ${sentence('One')}\nAda: ${sentence('Two')}`],
  ])('are not the lines of %s', (_, text) => {
    expect(passagesOf(text)).toEqual([text]);
  });

  test('of a very long conversation hold several turns, so that all of it is indexed', () => {
    const turns = Array.from(
      { length: 201 },
      (_, at) => `${at % 2 ? 'ada' : 'bob'}: ${sentence(`Turn ${at}`)}`,
    );
    expect(passagesOf(turns.slice(1).join('\n'))).toHaveLength(200);
    expect(passagesOf(turns.join('\n')).length).toBeLessThan(50);
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
    const gap = fc.constantFrom(' ', '\n', '\n\n', '. ', '\nAda: ', '\nbob: ');
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
