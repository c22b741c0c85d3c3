import type { Micros } from '../../kernel/clock.ts';
import type { Reader } from '../../storage/database.ts';
import type { SearchHit, SearchRequest } from '../request.ts';
import { WEIGHT_UNITS } from '../rules/analysis.ts';
import { inverseFrequency } from '../rules/bm25.ts';
import { type Evidence, type Fused, fuse } from '../rules/fusion.ts';
import { queryTerms } from '../rules/query.ts';
import { periodsIn } from '../rules/query-dates.ts';
import { snippetOf } from '../rules/snippet.ts';
import type { Embedder } from '../vectors/embedder.ts';
import { cosines } from '../vectors/packed-vectors.ts';
import { readBody } from './body.ts';
import { type DictionaryEntry, lookUp } from './dictionary.ts';
import { engineOf } from './engine.ts';
import { groupBy } from './group-by.ts';
import { proposeByTerms, type Scope } from './propose-by-terms.ts';
import type { VectorProposer } from './propose-by-vector.ts';
import { attributeWords, docsWithIds, filterTerms, wholePool, within } from './scope.ts';
import { findSpaces, type Space } from './spaces.ts';
import { type QueryTerm, TermScorer } from './term-scorer.ts';

export interface SearchParts {
  readonly embedder: Embedder;
  readonly proposer: VectorProposer;
  readonly now: Micros;
}

const DEFAULT_LIMIT = 10;

export async function search(
  reader: Reader,
  parts: SearchParts,
  request: SearchRequest,
): Promise<SearchHit[]> {
  const { collections, query, limit = DEFAULT_LIMIT, filter = {}, asOf } = request;
  const projectIds = 'projectIds' in request ? request.projectIds : [request.projectId];
  const spaces = await findSpaces(reader, projectIds, collections);
  const numbers = spaces.map(({ space }) => space);
  const words = queryTerms(query);
  const entries = await lookUp(reader, numbers, [...words, ...attributeWords(filter).flat()]);
  const filters = filterTerms(filter, entries);
  if (spaces.length === 0 || filters === undefined) return [];
  const terms = toQueryTerms(words, entries, spaces);
  const vector = request.vector ?? parts.embedder.embedNow?.([query])[0];
  const telling = vector?.some((value) => value !== 0) ? vector : undefined;
  if (terms.length === 0 && telling === undefined) return [];
  const allowed = filter.ids && (await docsWithIds(reader, spaces, filter.ids));
  const scope: Scope = { filters, asOf, allowed };
  const docs =
    (await wholePool(reader, spaces, scope, entries)) ??
    (await propose(reader, parts, numbers, terms, telling, scope));
  const candidates = await score(reader, parts.embedder.id, docs, spaces, terms, telling, scope);
  const fused = fuse(candidates, periodsIn(query, request.now ?? asOf ?? parts.now), parts.embedder.floor);
  return present(reader, best(candidates, fused, limit), spaces, terms);
}

function toQueryTerms(
  words: readonly string[],
  entries: readonly DictionaryEntry[],
  spaces: readonly Space[],
): QueryTerm[] {
  const documents = sum(spaces, 'documents');
  const byWord = groupBy(entries, ({ word }) => word);
  return words.flatMap((term) => {
    const found = byWord.get(term) ?? [];
    if (found.length === 0) return [];
    const withTerm = found.reduce((total, entry) => total + entry.documents, 0);
    const worth = inverseFrequency(documents, withTerm);
    return [{ term, numbers: found.map((entry) => entry.term), documents: withTerm, worth }];
  });
}

async function propose(
  reader: Reader,
  { embedder, proposer }: SearchParts,
  spaces: readonly number[],
  terms: readonly QueryTerm[],
  vector: Float32Array | undefined,
  scope: Scope,
): Promise<readonly number[]> {
  const byTerms = await proposeByTerms(reader, terms, scope);
  if (vector === undefined) return byTerms;
  const byVector = await proposer.propose(reader, spaces, embedder.id, vector);
  return [...new Set([...byTerms, ...within(byVector, scope)])];
}

interface Candidate extends Evidence {
  readonly doc: number;
  readonly space: number;
  readonly id: string;
  readonly passageAt: number;
}

interface CandidateRow {
  readonly doc: number;
  readonly space: number;
  readonly id: string;
  readonly time: number | null;
  readonly terms: Uint8Array;
  readonly vectors: Uint8Array | null;
}

async function score(
  reader: Reader,
  embedder: string,
  docs: readonly number[],
  spaces: readonly Space[],
  terms: readonly QueryTerm[],
  vector: Float32Array | undefined,
  { filters, asOf }: Scope,
): Promise<Candidate[]> {
  const scorer = new TermScorer(terms, {
    document: sum(spaces, 'weightedLength') / WEIGHT_UNITS / sum(spaces, 'documents'),
    passage: sum(spaces, 'plainLength') / sum(spaces, 'passages'),
  });
  const rows = await readCandidates(reader, embedder, docs);
  return rows.flatMap(({ doc, space, id, time, terms: list, vectors }) => {
    if (asOf !== undefined && time !== null && time > asOf) return [];
    const words = scorer.score(list, filters);
    if (words === undefined) return [];
    const nearest = nearestPassage(vectors, vector);
    const passageAt = words.passage > 0 ? words.passageAt : nearest.at;
    const { document, passage } = words;
    return [{ doc, space, id, time, document, passage, passageAt, cosine: nearest.cosine }];
  });
}

/** In order of their numbers, which is the order of writing on both engines. */
function readCandidates(reader: Reader, embedder: string, docs: readonly number[]): Promise<CandidateRow[]> {
  const { numbers } = engineOf(reader);
  return reader.all<CandidateRow>(
    `select d.doc, d.space, d.id, d.time, d.terms, v.vectors from search_documents d
     left join search_vectors v on v.doc = d.doc and v.embedder = ?
     where d.doc in ${numbers} order by d.doc`,
    [embedder, JSON.stringify(docs)],
  );
}

function nearestPassage(
  packed: Uint8Array | null,
  query: Float32Array | undefined,
): { cosine: number; at: number } {
  let cosine = Number.NaN;
  let at = 0;
  if (packed === null || query === undefined) return { cosine, at };
  for (const [passage, value] of cosines(packed, query).entries()) {
    if (value <= cosine || Number.isNaN(value)) continue;
    cosine = value;
    at = passage;
  }
  return { cosine, at };
}

interface Ranked extends Fused {
  readonly candidate: Candidate;
}

function best(
  candidates: readonly Candidate[],
  fused: readonly (Fused | undefined)[],
  limit: number,
): Ranked[] {
  const ranked = candidates.flatMap((candidate, at) => {
    const scores = fused[at];
    return scores === undefined ? [] : [{ candidate, ...scores }];
  });
  ranked.sort((a, b) => b.score - a.score || newerFirst(a.candidate, b.candidate));
  return ranked.slice(0, limit);
}

function newerFirst(a: Candidate, b: Candidate): number {
  const byTime = (b.time ?? Number.NEGATIVE_INFINITY) - (a.time ?? Number.NEGATIVE_INFINITY);
  if (byTime !== 0 && !Number.isNaN(byTime)) return byTime;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : a.space - b.space;
}

async function present(
  reader: Reader,
  ranked: readonly Ranked[],
  spaces: readonly Space[],
  terms: readonly QueryTerm[],
): Promise<SearchHit[]> {
  const { numbers } = engineOf(reader);
  const rows = await reader.all<{ doc: number; body: string }>(
    `select doc, body from search_documents where doc in ${numbers}`,
    [JSON.stringify(ranked.map(({ candidate }) => candidate.doc))],
  );
  const bodies = new Map(rows.map(({ doc, body }) => [doc, body]));
  const spaceOf = new Map(spaces.map((space) => [space.space, space]));
  const worths = new Map(terms.map(({ term, worth }) => [term, worth]));
  return ranked.map(({ candidate, score: total, text, vector }) => {
    const { projectId, collection } = spaceOf.get(candidate.space) as Space;
    const body = readBody(bodies.get(candidate.doc) as string);
    const [chunk, passage] = body.passages[candidate.passageAt] ?? [0, ''];
    return {
      projectId,
      collection,
      id: candidate.id,
      score: total,
      parts: { text, vector },
      ...(Number.isNaN(candidate.cosine) ? {} : { similarity: candidate.cosine }),
      best: { chunk, field: body.fields[chunk] ?? '', snippet: snippetOf(passage, worths) },
    };
  });
}

function sum(
  spaces: readonly Space[],
  key: 'documents' | 'passages' | 'weightedLength' | 'plainLength',
): number {
  return spaces.reduce((total, space) => total + space[key], 0);
}
