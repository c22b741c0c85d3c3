import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { statementsOf, textForModel } from './model-statements.ts';
import { ownWords } from './own-words.ts';

const answer = (...statements: readonly unknown[]) => JSON.stringify({ statements });
const said = (quote: string, kind = 'habit') => ({ quote, kind });
const TURN =
  'Rename the file. Before noon the hydrangeas come first, so ask me later.\n> I never eat fish.\nThanks!';

describe('what a model says that it found', () => {
  test('is taken where it stands in the person’s own words, letter by letter', () => {
    const [found, ...more] = statementsOf(answer(said('Before noon the hydrangeas come first')), TURN);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ text: 'Before noon the hydrangeas come first', kind: 'habit' });
    expect(TURN.slice(found?.start, found?.end)).toBe('Before noon the hydrangeas come first');
  });

  test.each([
    ['made up', said('I am a gardener in Ghent')],
    ['in other words', said('Before noon the garden comes first')],
    ['quoted from somebody else', said('I never eat fish')],
    ['of a kind that there is not', said('Before noon the hydrangeas come first', 'secret')],
    ['a part of a word', said('efore noon the hydrangeas come first')],
    ['over two lines', said('so ask me later.\n> I never eat fish')],
    ['a word or two', said('the hydrangeas')],
    ['no text', { quote: 7, kind: 'habit' }],
    ['nothing', null],
  ])('is dropped if it is %s', (_, statement) => {
    expect(statementsOf(answer(statement), TURN)).toEqual([]);
  });

  test('is dropped if the rules found it, it is said twice, is a question or of the moment', () => {
    const known = answer(said('I prefer tabs over spaces'), said('prefer tabs over spaces in Go'));
    expect(statementsOf(known, 'I prefer tabs over spaces in Go.')).toEqual([]);
    const twice = answer(
      said('Before noon the hydrangeas come first'),
      said('the hydrangeas come first, so ask me later'),
    );
    expect(statementsOf(twice, TURN)).toHaveLength(1);
    expect(statementsOf(answer(said('gardens are for the morning')), 'gardens are for the morning?')).toEqual(
      [],
    );
    const passing = 'Mornings are busy right now, so ask me later.';
    expect(statementsOf(answer(said('Mornings are busy right now')), passing)).toEqual([]);
  });

  test('is nothing where the answer is no such answer, and bounded where it is too much', () => {
    for (const nonsense of [
      '',
      'Sure! Here you go',
      '[]',
      '{}',
      'null',
      '{"statements":"all"}',
      '{"statements":{}}',
    ]) {
      expect(statementsOf(nonsense, TURN)).toEqual([]);
    }
    const sentences = Array.from({ length: 30 }, (_, at) => `Shelf ${at} stands in the attic`);
    expect(statementsOf(answer(...sentences.map((each) => said(each))), sentences.join('. '))).toHaveLength(
      8,
    );
  });

  test('is always the person’s own, whatever the model and the turn are', () => {
    const part = fc.constantFrom(
      'Before noon the hydrangeas come first',
      '> I never eat fish',
      '"I live in Ghent"',
      'so',
      '?',
    );
    const turn = fc.array(part, { maxLength: 6 }).map((parts) => parts.join('. '));
    fc.assert(
      fc.property(turn, fc.array(part.map((quote) => said(quote))), (text, statements) => {
        for (const { start, end } of statementsOf(answer(...statements), text)) {
          expect(ownWords(text).slice(start, end)).toBe(text.slice(start, end));
        }
      }),
    );
  });
});

describe('what a model is given', () => {
  test('is the person’s own words alone', () => {
    expect(textForModel(TURN)).not.toContain('fish');
    expect(textForModel(TURN)).toContain('Before noon the hydrangeas come first');
  });

  test('is nothing of a turn without any', () => {
    for (const turn of ['ok', '> I never eat fish.', '```\nconst a = 1\n```', 'Translate: I live in Ghent']) {
      expect(textForModel(turn)).toBeUndefined();
    }
  });
});
