import type { SearchField } from '../document.ts';
import { analyzeEach, type Passage } from './analysis.ts';

/** An analysis in few pieces: what comes out of a thread is copied piece by piece while others wait. */
export interface PackedAnalysis {
  readonly passages: readonly PackedPassage[];
  readonly whole: boolean;
}

interface PackedPassage extends Pick<Passage, 'field' | 'text' | 'weight' | 'length'> {
  /** Terms hold no spaces, and neither do words. */
  readonly terms: string;
  readonly counts: Uint32Array;
  readonly words: string;
}

export function analyzePacked(fields: readonly SearchField[]): PackedAnalysis {
  return analyzeEach(fields, packPassage);
}

function packPassage({ frequencies, words, ...passage }: Passage): PackedPassage {
  return {
    ...passage,
    terms: [...frequencies.keys()].join(' '),
    counts: Uint32Array.from(frequencies.values()),
    words: words.join(' '),
  };
}

export function unpackPassage({ terms, counts, words, ...passage }: PackedPassage): Passage {
  const named = split(terms);
  return {
    ...passage,
    frequencies: new Map(named.map((term, at) => [term, counts[at] as number])),
    words: split(words),
  };
}

function split(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}
