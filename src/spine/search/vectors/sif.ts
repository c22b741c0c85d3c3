import { isStopTerm } from '../rules/stop-words.ts';
import { termOf } from '../rules/tokenize.ts';
import { toUnitVector } from './embedder.ts';
import type { WordVectors } from './word-vectors.ts';

/**
 * Smooth inverse frequency (Arora, Liang, Ma 2017): a text is the average of its words, the frequent ones weighing
 * less, without the direction that all texts share. Frequencies come from the ranks by Zipf's law, so that no corpus
 * is needed and a text has the same vector in every project.
 */
export interface SentenceModel {
  readonly dim: number;
  /** Of a text's words, in order. */
  embed(words: readonly string[]): Float32Array;
}

const SMOOTHING = 1e-3;
const EULER_GAMMA = 0.5772156649015329;

export function createSentenceModel(table: WordVectors): SentenceModel {
  const harmonic = Math.log(table.size) + EULER_GAMMA;
  const frequencyOf = (rank: number) => 1 / ((rank + 1) * harmonic);
  const weightOf = (rank: number) => SMOOTHING / (SMOOTHING + frequencyOf(rank));
  const shared = sharedDirection(table, frequencyOf, weightOf);
  // Whether a word is a stop word depends on its stem: found out once for each word that is met.
  const contentWeights = new Float64Array(table.size).fill(Number.NaN);
  const contentWeightOf = (rank: number, word: string): number => {
    const known = contentWeights[rank] as number;
    if (!Number.isNaN(known)) return known;
    const weight = isStopTerm(termOf(word)) ? 0 : weightOf(rank);
    contentWeights[rank] = weight;
    return weight;
  };
  const sum = new Float64Array(table.dim);
  return {
    dim: table.dim,
    embed(words) {
      const ranks: number[] = [];
      const weights: number[] = [];
      let total = 0;
      for (const word of words) {
        const rank = table.rankOf(word);
        if (rank === undefined) continue;
        const weight = contentWeightOf(rank, word);
        if (weight === 0) continue;
        ranks.push(rank);
        weights.push(weight);
        total += weight;
      }
      sum.fill(0);
      table.addTo(sum, ranks, weights);
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
  const ranks = Array.from({ length: words.size }, (_, rank) => rank);
  const weights = ranks.map((rank) => frequencyOf(rank) * weightOf(rank));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const sum = new Float64Array(words.dim);
  words.addTo(sum, ranks, weights);
  return sum.map((value) => value / total);
}
