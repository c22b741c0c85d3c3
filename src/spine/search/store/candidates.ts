import type { Reader } from '../../storage/database.ts';
import type { Candidate } from '../rules/ranking.ts';
import { type Nearest, nearest } from '../vectors/packed-vectors.ts';
import { engineOf } from './engine.ts';
import type { Scope } from './propose-by-terms.ts';
import type { TermCounter } from './term-counter.ts';

/** All of a document that scoring reads. */
export interface CandidateRow {
  readonly doc: number;
  readonly space: number;
  readonly time: number | null;
  readonly terms: Uint8Array;
  readonly vectors: Uint8Array | null;
}

export interface FoundCandidate extends Candidate {
  readonly row: CandidateRow;
  /** The passage nearest to the query's vector. */
  readonly nearestAt: number;
}

export function readCandidates(
  reader: Reader,
  embedder: string,
  docs: readonly number[],
): Promise<CandidateRow[]> {
  const { amongNumbers } = engineOf(reader);
  return reader.all<CandidateRow>(
    `select doc, space, time, terms, case when embedder = ? then vectors end as vectors
     from search_documents where doc ${amongNumbers}`,
    [embedder, JSON.stringify(docs)],
  );
}

/** In bytes: that of a text of some ten pages. */
const LONG_LIST = 8_192;
const UNKNOWN: Nearest = { cosine: Number.NaN, at: 0 };

/** Those of the rows that are within the scope. */
export async function countCandidates(
  reader: Reader,
  rows: readonly CandidateRow[],
  counter: TermCounter,
  vector: Float32Array | undefined,
  { filters, asOf, allowed }: Scope,
): Promise<FoundCandidate[]> {
  const found: FoundCandidate[] = [];
  for (const row of rows) {
    const { doc, space, time, terms, vectors } = row;
    if (asOf !== undefined && time !== null && time > asOf) continue;
    if (allowed !== undefined && !allowed.has(doc)) continue;
    if (terms.length > LONG_LIST) await reader.giveTurn();
    const counts = counter.count(terms, filters);
    if (counts === undefined) continue;
    const near = vectors === null || vector === undefined ? UNKNOWN : nearest(vectors, vector);
    const passages = counts.lengths.length;
    found.push({ doc, space, time, passages, counts, cosine: near.cosine, nearestAt: near.at, row });
  }
  return found;
}

/** The same candidates, counted by other terms. */
export async function recount(
  reader: Reader,
  candidates: readonly FoundCandidate[],
  counter: TermCounter,
): Promise<FoundCandidate[]> {
  const counted: FoundCandidate[] = [];
  for (const candidate of candidates) {
    if (candidate.row.terms.length > LONG_LIST) await reader.giveTurn();
    const counts = counter.count(candidate.row.terms);
    if (counts !== undefined) counted.push({ ...candidate, counts });
  }
  return counted;
}
