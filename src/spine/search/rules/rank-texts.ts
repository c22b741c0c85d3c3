/** The ranking for texts that no index holds, such as what was true in the past. Pure, and without vectors. */
import type { Micros } from '../../../kernel/clock.ts';
import { analyze, WEIGHT_UNITS } from './analysis.ts';
import { inverseFrequency } from './bm25.ts';
import { asksOfSelf, OWN_TERMS } from './own-words.ts';
import { queryTerms } from './query.ts';
import { periodsIn } from './query-dates.ts';
import { type Candidate, rankMembers, rankUnits, worthsByUnits } from './ranking.ts';
import { lengthOf, type TextCounts } from './text-counts.ts';

export interface RankedText {
  /** Its place in the list that was given. */
  readonly at: number;
  readonly score: number;
}

/** Those that have something of the query, best first. `now`: what `last week` in it is counted from. */
export function rankTexts(
  texts: readonly { readonly text: string; readonly time: Micros | null }[],
  query: string,
  now: Micros,
): RankedText[] {
  const terms = queryTerms(query);
  const candidates = texts.map(({ text, time }, doc): Candidate => {
    const counts = countsOf(text, terms);
    return { doc, space: 0, time, passages: counts.lengths.length, counts, cosine: Number.NaN };
  });
  const lengths = candidates.flatMap(({ counts }) => counts.lengths);
  const asked = {
    periods: periodsIn(query, now),
    ofSelf: asksOfSelf(query),
    apart: false,
    // No text has a vector to be near by.
    floor: Number.POSITIVE_INFINITY,
    averages: {
      document: sum(candidates.map(({ counts }) => lengthOf(counts))) / Math.max(1, candidates.length),
      passage: sum(lengths) / Math.max(1, lengths.length),
    },
  };
  const worths = terms.map((_, slot) => {
    const having = candidates.filter(({ counts }) => hasTerm(counts, slot, terms.length)).length;
    return inverseFrequency(candidates.length, having);
  });
  const units = rankUnits(candidates, worthsByUnits(candidates, worths, asked), asked);
  const ranked = rankMembers(candidates, worths, asked, units);
  return ranked
    .flatMap((scores, at) => (scores === undefined ? [] : [{ at, score: scores.score }]))
    .sort((a, b) => b.score - a.score || b.at - a.at);
}

function countsOf(text: string, terms: readonly string[]): TextCounts {
  const { passages } = analyze([{ name: 'text', text }]);
  const frequencies = new Float64Array(passages.length * terms.length);
  for (const [at, passage] of passages.entries()) {
    for (const [slot, term] of terms.entries()) {
      frequencies[at * terms.length + slot] = passage.frequencies.get(term) ?? 0;
    }
  }
  return {
    weights: passages.map(({ weight }) => weight / WEIGHT_UNITS),
    lengths: passages.map(({ length }) => length),
    ownWords: passages.map((passage) => sum(OWN_TERMS.map((term) => passage.frequencies.get(term) ?? 0))),
    frequencies,
  };
}

function hasTerm({ frequencies }: TextCounts, slot: number, width: number): boolean {
  for (let at = slot; at < frequencies.length; at += width) if (frequencies[at] !== 0) return true;
  return false;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
