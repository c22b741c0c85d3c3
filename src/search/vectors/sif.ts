import { isStopTerm } from '../rules/stop-words.ts';
import { termOf, wordsIn } from '../rules/tokenize.ts';
import { toUnitVector } from './unit-vector.ts';
import type { WordVectors } from './word-vectors.ts';

/**
 * Smooth inverse frequency (Arora, Liang, Ma 2017): a text is the average of its words, the frequent ones weighing
 * less, without the direction that all texts share. Frequencies come from the ranks by Zipf's law, so that no corpus
 * is needed and a text has the same vector in every project.
 */
export interface SentenceModel {
  readonly dim: number;
  embed(text: string): Float32Array;
}

const SMOOTHING = 1e-3;
const EULER_GAMMA = 0.5772156649015329;

export function createSentenceModel(words: WordVectors): SentenceModel {
  const harmonic = Math.log(words.size) + EULER_GAMMA;
  const frequencyOf = (rank: number) => 1 / ((rank + 1) * harmonic);
  const weightOf = (rank: number) => SMOOTHING / (SMOOTHING + frequencyOf(rank));
  const shared = sharedDirection(words, frequencyOf, weightOf);
  return {
    dim: words.dim,
    embed(text) {
      const sum = new Float64Array(words.dim);
      let total = 0;
      for (const word of wordsIn(text)) {
        const rank = words.rankOf(word);
        if (rank === undefined || isStopTerm(termOf(word))) continue;
        const weight = weightOf(rank);
        words.addTo(sum, rank, weight);
        total += weight;
      }
      for (let at = 0; at < sum.length; at += 1)
        sum[at] = (sum[at] as number) - total * (shared[at] as number);
      return toUnitVector(sum);
    },
  };
}

/** The weighted mean of the whole vocabulary: what an average text would be. */
function sharedDirection(
  words: WordVectors,
  frequencyOf: (rank: number) => number,
  weightOf: (rank: number) => number,
): Float64Array {
  const sum = new Float64Array(words.dim);
  let total = 0;
  for (let rank = 0; rank < words.size; rank += 1) {
    const weight = frequencyOf(rank) * weightOf(rank);
    words.addTo(sum, rank, weight);
    total += weight;
  }
  return sum.map((value) => value / total);
}
