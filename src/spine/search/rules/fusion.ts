import type { Micros } from '../../../kernel/clock.ts';
import { dateShare, type Period } from './query-dates.ts';

/** What is known of one candidate before the candidates are compared. */
export interface Evidence {
  /** BM25 of the whole document, of its best passage, and of what a speaker told of themselves. */
  readonly document: number;
  readonly passage: number;
  readonly personal: number;
  /** Cosine of the nearest passage; NaN without a vector. */
  readonly cosine: number;
  readonly time: Micros | null;
}

export interface Fused {
  readonly score: number;
  /** What words and dates gave, and what vectors gave: together the score. */
  readonly text: number;
  readonly vector: number;
  /** What dates gave, within `text`. */
  readonly date: number;
}

/** What the question says beside its words. */
export interface Asked {
  readonly periods: readonly Period[];
  /** Whether it asks of who asks it. */
  readonly ofSelf: boolean;
}

/**
 * Shares of the score. Words lead, at two granularities; vectors add what words miss; what a speaker told of themselves
 * and the dates that the query names come on top. Fixed on all development questions of bench/retrieval together.
 */
export const SHARES = { document: 0.36, passage: 0.36, vector: 0.28, personal: 0.2 } as const;

/**
 * Each measure is brought to 0…1 over the candidates (words from zero, cosines from the least), then summed by share.
 * Undefined for a candidate that shares no term with the query and is not near it either.
 */
export function fuse(
  candidates: readonly Evidence[],
  { periods, ofSelf }: Asked,
  floor: number,
): (Fused | undefined)[] {
  const mostDocument = most(candidates, (candidate) => candidate.document);
  const mostPassage = most(candidates, (candidate) => candidate.passage);
  const mostPersonal = most(candidates, (candidate) => candidate.personal);
  const nearest = most(candidates, (candidate) => candidate.cosine);
  const farthest = -most(candidates, (candidate) => -candidate.cosine);
  return candidates.map(({ document, passage, personal, cosine, time }) => {
    if (document === 0 && !(cosine >= floor)) return undefined;
    const words =
      share(document, 0, mostDocument) * SHARES.document +
      share(passage, 0, mostPassage) * SHARES.passage +
      (ofSelf ? share(personal, 0, mostPersonal) * SHARES.personal : 0);
    const date = time === null ? 0 : dateShare(time, periods);
    const vector = Number.isNaN(cosine) ? 0 : share(cosine, farthest, nearest) * SHARES.vector;
    return { score: words + date + vector, text: words + date, vector, date };
  });
}

function most<T>(items: readonly T[], measure: (item: T) => number): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const value = measure(item);
    if (value > greatest) greatest = value;
  }
  return greatest;
}

function share(value: number, least: number, greatest: number): number {
  if (greatest > least) return (value - least) / (greatest - least);
  return value > 0 ? 1 : 0;
}
