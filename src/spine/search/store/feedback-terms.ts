import type { Reader } from '../../storage/database.ts';
import { WEIGHT_UNITS } from '../rules/analysis.ts';
import {
  asksForFeedback,
  chooseFeedback,
  FEEDBACK_UNITS,
  type FeedbackUnit,
  feedbackWeights,
} from '../rules/feedback.ts';
import type { RankedUnit } from '../rules/ranking.ts';
import type { FoundCandidate } from './candidates.ts';
import { type DictionaryEntry, lookUp } from './dictionary.ts';
import { engineOf } from './engine.ts';
import { toQueryTerms } from './query-terms.ts';
import type { Space } from './spaces.ts';
import type { QueryTerm } from './term-counter.ts';
import { decodeTermList } from './term-list.ts';

/** The query's terms and those that the best units add; the same terms if nothing is to be added. */
export async function withFeedback(
  reader: Reader,
  spaces: readonly Space[],
  query: string,
  terms: readonly QueryTerm[],
  candidates: readonly FoundCandidate[],
  units: readonly RankedUnit[],
): Promise<readonly QueryTerm[]> {
  if (!asksForFeedback(query, terms.length)) return terms;
  const best = units
    .filter(({ fused }) => fused !== undefined)
    .sort(
      (a, b) =>
        (b.fused?.score ?? 0) - (a.fused?.score ?? 0) || newest(candidates, b) - newest(candidates, a),
    )
    .slice(0, FEEDBACK_UNITS)
    .map(({ members, fused }) => unitOf(candidates, members, fused?.score ?? 0));
  const weights = feedbackWeights(best, spaces.length === 1);
  const found = await entriesOf(
    reader,
    weights.map(({ term }) => term),
  );
  const words = new Map(found.map(({ term, word }) => [term, word]));
  const weightOf = new Map<string, number>();
  for (const { term, weight } of weights) {
    const word = words.get(term);
    if (word !== undefined) weightOf.set(word, (weightOf.get(word) ?? 0) + weight);
  }
  for (const { term } of terms) weightOf.delete(term);
  const numbers = spaces.map(({ space }) => space);
  const entries = spaces.length === 1 ? found : await lookUp(reader, numbers, [...weightOf.keys()]);
  const known = toQueryTerms([...weightOf.keys()], entries, spaces);
  const asked = terms.reduce((sum, { worth }) => sum + worth, 0);
  const chosen = chooseFeedback(
    known.map(({ term, documents, worth }) => ({
      word: term,
      weight: weightOf.get(term) ?? 0,
      documents,
      worth,
    })),
    asked,
  );
  return [
    ...terms,
    ...known.flatMap((each) => {
      const worth = chosen.get(each.term);
      return worth === undefined ? [] : [{ ...each, worth }];
    }),
  ];
}

function newest(candidates: readonly FoundCandidate[], { members }: RankedUnit): number {
  return Math.max(...members.map((index) => candidates[index]?.doc ?? 0));
}

/** Stop words and attributes say nothing of what a text is about. */
function unitOf(
  candidates: readonly FoundCandidate[],
  members: readonly number[],
  score: number,
): FeedbackUnit {
  const frequencies = new Map<number, number>();
  let length = 0;
  for (const index of members) {
    const list = decodeTermList((candidates[index] as FoundCandidate).row.terms);
    const stops = new Set(list.stops);
    for (const passage of list.passages) {
      length += (passage.weight * passage.length) / WEIGHT_UNITS;
      for (const [term, frequency] of passage.frequencies) {
        if (stops.has(term)) continue;
        frequencies.set(term, (frequencies.get(term) ?? 0) + (frequency * passage.weight) / WEIGHT_UNITS);
      }
    }
  }
  return { score, length, frequencies };
}

function entriesOf(reader: Reader, terms: readonly number[]): Promise<DictionaryEntry[]> {
  if (terms.length === 0) return Promise.resolve([]);
  return reader.all<DictionaryEntry>(
    `select term, space, word, documents from search_terms where term ${engineOf(reader).amongNumbers}`,
    [JSON.stringify(terms)],
  );
}
