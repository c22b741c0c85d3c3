/**
 * Expansion by feedback (relevance model, Lavrenko and Croft 2001): words that the first documents found have in common
 * find what speaks of the same in other words. That helps who needs several documents and costs who needs one, so only
 * questions that count, list or compare are expanded; only by what two of the first share, and never a search for one
 * word or two, which is meant literally.
 */
export interface FeedbackUnit {
  readonly score: number;
  readonly length: number;
  /** Of terms, by any key. */
  readonly frequencies: ReadonlyMap<number, number>;
}

/** Of how many units words are taken, and how many words. */
export const FEEDBACK_UNITS = 5;
const FEEDBACK_TERMS = 16;
const LEAST_TERMS = 3;
/** What all words added are worth together, beside the question's. */
const WORTH = 1;
const MOST_LOOKED_UP = 80;

const COUNTS =
  /\b(?:how (?:many|much|often|long|old|far)|total|altogether|combined|average|all|every|each|list|order|compare|difference|both|between)\b/i;
const COMPARES = /\b(?:first|last|earlier|later|sooner|longer|older|better|more|most)\b[^.?!]*\bor\b/i;

export function asksForFeedback(query: string, terms: number): boolean {
  return terms >= LEAST_TERMS && (COUNTS.test(query) || COMPARES.test(query));
}

/** How much of these units each term is, best first. `shared`: only terms that two units have. */
export function feedbackWeights(
  units: readonly FeedbackUnit[],
  shared: boolean,
): { readonly term: number; readonly weight: number }[] {
  const total = units.reduce((sum, { score }) => sum + score, 0);
  const weights = new Map<number, { weight: number; units: number }>();
  for (const { score, length, frequencies } of units) {
    for (const [term, frequency] of frequencies) {
      const known = weights.get(term) ?? { weight: 0, units: 0 };
      known.weight += ((score / total) * frequency) / length;
      known.units += 1;
      weights.set(term, known);
    }
  }
  return [...weights]
    .filter(([, { units: found }]) => found > 1 || !shared)
    .map(([term, { weight }]) => ({ term, weight }))
    .sort((a, b) => b.weight - a.weight || a.term - b.term)
    .slice(0, MOST_LOOKED_UP);
}

export interface FeedbackWord {
  readonly word: string;
  readonly weight: number;
  readonly documents: number;
  /** What a match is worth by its rarity. */
  readonly worth: number;
}

/** The words to add, with what a match of each is worth. `asked` is what the question's own are worth together. */
export function chooseFeedback(words: readonly FeedbackWord[], asked: number): Map<string, number> {
  const chosen = words
    .filter(({ documents }) => documents > 1)
    .map(({ word, weight, worth }) => ({ word, value: weight * worth }))
    .sort((a, b) => b.value - a.value || (a.word < b.word ? -1 : 1))
    .slice(0, FEEDBACK_TERMS);
  const total = chosen.reduce((sum, { value }) => sum + value, 0);
  return new Map(chosen.map(({ word, value }) => [word, (WORTH * asked * value) / total]));
}
