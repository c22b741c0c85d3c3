import type { Micros } from '../../../kernel/clock.ts';
import { inverseFrequency } from './bm25.ts';
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
export const RANKING_PARTS = [
  'vectors',
  'feedback',
  'dates',
  'own words',
  'conversations',
  'rarity by conversations',
] as const;
export type RankingPart = (typeof RANKING_PARTS)[number];

export interface RankQuery extends Asked {
  readonly averages: AverageLengths;
  /** From this cosine on, a document that shares no term is worth showing. */
  readonly floor: number;
  /** Each document by itself, whatever was said around it. */
  readonly apart: boolean;
}

/** How many documents there are, and how many of them have each term. */
export interface Rarity {
  readonly documents: number;
  readonly withTerm: readonly number[];
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
  const units = groupsOf(candidates, query);
  const texts = units.map((members) => joined(candidates, members));
  const document = units.length < candidates.length ? mean(texts.map(lengthOf)) : query.averages.document;
  const averages = { ...query.averages, document };
  const evidence = units.map((members, at) => ({
    ...scoreText(texts[at] as TextCounts, worths, averages),
    cosine: greatest(members.map((index) => (candidates[index] as Candidate).cosine)),
    time: (candidates[members[0] as number] as Candidate).time,
  }));
  const fused = fuse(evidence, query, query.floor);
  return units.map((members, at) => ({ members, fused: fused[at] }));
}

/**
 * What a match is worth by how many conversations have the term: one that is rare among turns may be in every
 * conversation. How many those are is estimated from how the candidates with the term gather in theirs. Without
 * `rarity` the candidates are counted as if there were nothing else.
 */
export function worthsByUnits(
  candidates: readonly Candidate[],
  worths: readonly number[],
  query: Pick<RankQuery, 'apart'>,
  rarity?: Rarity,
): readonly number[] {
  const units = groupsOf(candidates, query);
  if (units.length === candidates.length) return worths;
  const ofCandidates = having(candidates, worths.length);
  const ofUnits = having(
    units.map((members) => ({ counts: joined(candidates, members) })),
    worths.length,
  );
  const documents = ((rarity?.documents ?? candidates.length) * units.length) / candidates.length;
  return worths.map((worth, slot) => {
    const found = ofCandidates[slot] as number;
    if (found === 0) return worth;
    const withTerm = ((rarity?.withTerm[slot] ?? found) * (ofUnits[slot] as number)) / found;
    return inverseFrequency(documents, Math.min(documents, withTerm));
  });
}

function groupsOf(
  candidates: readonly Candidate[],
  { apart }: Pick<RankQuery, 'apart'>,
): readonly (readonly number[])[] {
  return apart ? candidates.map((_, index) => [index]) : unitsOf(candidates);
}

function joined(candidates: readonly Candidate[], members: readonly number[]): TextCounts {
  return joinCounts(members.map((index) => (candidates[index] as Candidate).counts));
}

/** By term, how many of the texts have it. */
function having(texts: readonly Pick<Candidate, 'counts'>[], terms: number): Float64Array {
  const counts = new Float64Array(terms);
  for (const {
    counts: { frequencies },
  } of texts) {
    for (let slot = 0; slot < terms; slot += 1) {
      let at = slot;
      while (at < frequencies.length && frequencies[at] === 0) at += terms;
      if (at < frequencies.length) counts[slot] = (counts[slot] as number) + 1;
    }
  }
  return counts;
}

/** What a neighbour's score adds, by its distance, and what the conversation's does. */
const BESIDE = [0.3, 0.15] as const;
const CONVERSATION = 1.5;
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
