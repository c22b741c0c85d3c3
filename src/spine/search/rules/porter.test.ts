import { describe, expect, test } from 'vitest';
import { porterStem } from './porter.ts';

/** Pairs that Porter's paper gives for its steps, carried through to the end. */
const PAIRS = {
  caresses: 'caress',
  ponies: 'poni',
  ties: 'ti',
  cats: 'cat',
  feed: 'feed',
  agreed: 'agre',
  plastered: 'plaster',
  bled: 'bled',
  motoring: 'motor',
  sing: 'sing',
  conflated: 'conflat',
  troubled: 'troubl',
  sized: 'size',
  hopping: 'hop',
  falling: 'fall',
  hissing: 'hiss',
  fizzed: 'fizz',
  failing: 'fail',
  filing: 'file',
  happy: 'happi',
  sky: 'sky',
  relational: 'relat',
  conditional: 'condit',
  rational: 'ration',
  digitizer: 'digit',
  operator: 'oper',
  feudalism: 'feudal',
  decisiveness: 'decis',
  hopefulness: 'hope',
  formalize: 'formal',
  electrical: 'electr',
  goodness: 'good',
  revival: 'reviv',
  allowance: 'allow',
  inference: 'infer',
  replacement: 'replac',
  adjustment: 'adjust',
  dependent: 'depend',
  adoption: 'adopt',
  effective: 'effect',
  probate: 'probat',
  rate: 'rate',
  cease: 'ceas',
  controlling: 'control',
  rolling: 'roll',
  generalizations: 'gener',
  oscillators: 'oscil',
};

describe('the stem of a word', () => {
  test.each(Object.entries(PAIRS))('%s becomes %s', (word, stem) => {
    expect(porterStem(word)).toBe(stem);
  });

  test('is the word itself when it is short or not plain English letters', () => {
    for (const word of ['is', 'as', 'sha256', 'naïve', 'snake_case', '']) expect(porterStem(word)).toBe(word);
  });
});
