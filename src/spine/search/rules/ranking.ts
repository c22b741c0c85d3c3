import type { Micros } from '../../../kernel/clock.ts';
import { type Placed, unitsOf } from './conversations.ts';
import { type Asked, type Fused, fuse } from './fusion.ts';
import { joinCounts, lengthOf, type TextCounts } from './text-counts.ts';
import { type AverageLengths, scoreText, type TextScore } from './text-score.ts';

export interface Candidate extends Placed {
  readonly counts: TextCounts;
  /** Cosine of the nearest passage; NaN without a vector. */
  readonly cosine: number;
}

/** What the ranking is made of beside words; the bench leaves them out one by one to see what each is worth. */
export const RANKING_PARTS = ['vectors', 'feedback', 'dates', 'own words', 'conversations'] as const;
export type RankingPart = (typeof RANKING_PARTS)[number];

export interface RankQuery extends Asked {
  readonly averages: AverageLengths;
  /** From this cosine on, a document that shares no term is worth showing. */
  readonly floor: number;
  /** Each document by itself, whatever was said around it. */
  readonly apart: boolean;
}

/** A conversation among the candidates, or one that stands alone, with its score. */
export interface RankedUnit {
  /** Indexes of candidates. */
  readonly members: readonly number[];
  readonly fused: Fused | undefined;
}

export interface Ranked extends Fused {
  /** What neighbours and the conversation around it gave, within `text`. */
  readonly around: number;
}

/** Scores conversations as wholes. A document that stands alone is a conversation of one. */
export function rankUnits(
  candidates: readonly Candidate[],
  worths: readonly number[],
  query: RankQuery,
): RankedUnit[] {
  const units = query.apart ? candidates.map((_, index) => [index]) : unitsOf(candidates);
  const texts = units.map((members) =>
    joinCounts(members.map((index) => (candidates[index] as Candidate).counts)),
  );
  const joined = units.length < candidates.length;
  const document = joined ? mean(texts.map(lengthOf)) : query.averages.document;
  const averages = { ...query.averages, document };
  const evidence = units.map((members, at) => ({
    ...scoreText(texts[at] as TextCounts, worths, averages),
    cosine: greatest(members.map((index) => (candidates[index] as Candidate).cosine)),
    time: (candidates[members[0] as number] as Candidate).time,
  }));
  const fused = fuse(evidence, query, query.floor);
  return units.map((members, at) => ({ members, fused: fused[at] }));
}

/** What a neighbour's score adds, by its distance, and what the conversation's does. */
const BESIDE = [0.3, 0.15] as const;
const CONVERSATION = 1;
const WHOLE = 1 + BESIDE[0] + BESIDE[1] + CONVERSATION;

/**
 * The score of each candidate, by index. Where some were said in one conversation, each is scored by itself, by its
 * neighbours and by the whole; else the units' scores are theirs. Undefined for one that has nothing of its own.
 */
export function rankMembers(
  candidates: readonly Candidate[],
  worths: readonly number[],
  query: RankQuery,
  units: readonly RankedUnit[],
): (Ranked | undefined)[] {
  const ranked: (Ranked | undefined)[] = candidates.map(() => undefined);
  if (units.every(({ members }) => members.length === 1)) {
    for (const { members, fused } of units) ranked[members[0] as number] = fused && { ...fused, around: 0 };
    return ranked;
  }
  const own = fuse(
    candidates.map(({ counts, cosine, time }): TextScore & { cosine: number; time: Micros | null } => ({
      ...scoreText(counts, worths, query.averages),
      cosine,
      time,
    })),
    { ...query, ofSelf: false },
    query.floor,
  );
  const best = Math.max(0, ...units.map(({ fused }) => fused?.score ?? 0));
  for (const { members, fused } of units) {
    const scoreAt = (place: number) => own[members[place] ?? -1]?.score ?? 0;
    for (const [place, index] of members.entries()) {
      const alone = own[index];
      if (alone === undefined) continue;
      const beside = BESIDE.reduce(
        (sum, part, at) => sum + part * Math.max(scoreAt(place - at - 1), scoreAt(place + at + 1)),
        0,
      );
      const whole = best > 0 ? (CONVERSATION * (fused?.score ?? 0)) / best : 0;
      const around = (beside + whole) / WHOLE;
      const vector = alone.vector / WHOLE;
      const text = alone.text / WHOLE + around;
      ranked[index] = { score: text + vector, text, vector, date: alone.date / WHOLE, around };
    }
  }
  return ranked;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}

/** NaN where there is none. */
function greatest(values: readonly number[]): number {
  return values.reduce((best, value) => (value > best || Number.isNaN(best) ? value : best), Number.NaN);
}
