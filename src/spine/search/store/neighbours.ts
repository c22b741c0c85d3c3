import type { Reader } from '../../storage/database.ts';
import type { RankedUnit } from '../rules/ranking.ts';
import { type CandidateRow, type FoundCandidate, readCandidates } from './candidates.ts';

/** For how many of the best their neighbours are read, and how far away. */
const BEST = 10;
const REACH = 2;

/** What was written down right before and after the best, and was not proposed itself. */
export async function readNeighbours(
  reader: Reader,
  embedder: string,
  candidates: readonly FoundCandidate[],
  units: readonly RankedUnit[],
): Promise<CandidateRow[]> {
  const scored = units.flatMap(({ members, fused }) =>
    fused === undefined ? [] : members.map((index) => ({ at: candidates[index] as FoundCandidate, fused })),
  );
  scored.sort((a, b) => b.fused.score - a.fused.score || b.at.doc - a.at.doc);
  const best = scored.slice(0, BEST).map(({ at }) => at);
  const known = new Set(candidates.map(({ doc }) => doc));
  const spaces = new Set(best.map(({ space }) => space));
  const docs = new Set<number>();
  for (const { doc, time } of best) {
    if (time === null) continue;
    for (let step = 1; step <= REACH; step += 1) docs.add(doc - step).add(doc + step);
  }
  const missing = [...docs].filter((doc) => doc > 0 && !known.has(doc));
  if (missing.length === 0) return [];
  return (await readCandidates(reader, embedder, missing)).filter(({ space }) => spaces.has(space));
}
