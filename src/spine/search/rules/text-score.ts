import { LENGTH_OF_DOCUMENT, LENGTH_OF_PASSAGE, saturation } from './bm25.ts';
import { lengthOf, type TextCounts } from './text-counts.ts';

export interface TextScore {
  /** BM25 of the whole text. */
  readonly document: number;
  /** That of its best passage, with a part of what the better of its neighbours has. */
  readonly passage: number;
  /** The passage with the best score of its own; 0 when no term was found. */
  readonly passageAt: number;
  /** BM25 of the passages in which a speaker tells of themselves. */
  readonly personal: number;
}

export interface AverageLengths {
  readonly document: number;
  readonly passage: number;
}

/** An answer often stands beside the passage that repeats the question's words. */
const NEIGHBOUR = 0.3;
/** In that share of words or more a passage speaks of its speaker. */
const PERSONAL = 0.04;
/** How much of an average document is personal. */
const PERSONAL_LENGTH = 0.4;

/** `worths` are of the query's terms, in the order of their slots. */
export function scoreText(
  counts: TextCounts,
  worths: readonly number[],
  averages: AverageLengths,
): TextScore {
  const { lengths, ownWords } = counts;
  const slots = worths.length;
  const whole = new Float64Array(slots);
  const personal = new Float64Array(slots);
  let personalLength = 0;
  let passageAt = 0;
  const scores = new Float64Array(lengths.length);
  for (let at = 0; at < lengths.length; at += 1) {
    const length = lengths[at] as number;
    const isPersonal = (ownWords[at] as number) >= PERSONAL * length && (ownWords[at] as number) > 0;
    if (isPersonal) personalLength += length;
    let sum = 0;
    for (let slot = 0, from = at * slots; slot < slots; slot += 1) {
      const frequency = counts.frequencies[from + slot] as number;
      if (frequency === 0) continue;
      whole[slot] = (whole[slot] as number) + frequency;
      if (isPersonal) personal[slot] = (personal[slot] as number) + frequency;
      sum += (worths[slot] as number) * saturation(frequency, length, averages.passage, LENGTH_OF_PASSAGE);
    }
    scores[at] = sum;
    if (sum > (scores[passageAt] as number)) passageAt = at;
  }
  return {
    document: total(worths, whole, lengthOf(counts), averages.document),
    passage: bestWithNeighbour(scores),
    passageAt,
    personal:
      personalLength === 0 ? 0 : total(worths, personal, personalLength, averages.document * PERSONAL_LENGTH),
  };
}

function total(
  worths: readonly number[],
  frequencies: Float64Array,
  length: number,
  average: number,
): number {
  let sum = 0;
  for (let slot = 0; slot < worths.length; slot += 1) {
    const frequency = frequencies[slot] as number;
    if (frequency === 0) continue;
    sum += (worths[slot] as number) * saturation(frequency, length, average, LENGTH_OF_DOCUMENT);
  }
  return sum;
}

function bestWithNeighbour(scores: Float64Array): number {
  let best = 0;
  for (let at = 0; at < scores.length; at += 1) {
    const beside = Math.max(scores[at - 1] ?? 0, scores[at + 1] ?? 0);
    best = Math.max(best, (scores[at] as number) + NEIGHBOUR * beside);
  }
  return best;
}
