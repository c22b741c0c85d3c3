import type { Reader } from '../../storage/database.ts';
import type { SearchHit } from '../request.ts';
import { snippetOf } from '../rules/snippet.ts';
import { type AverageLengths, scoreText } from '../rules/text-score.ts';
import { readBody } from './body.ts';
import { engineOf } from './engine.ts';
import type { RankedCandidate } from './search.ts';
import type { Space } from './spaces.ts';
import { type QueryTerm, TermCounter } from './term-counter.ts';

interface FoundRow {
  readonly doc: number;
  readonly space: number;
  readonly id: string;
  readonly body: string;
}

/** The hits with their best passages, and why each was found. `wider` are the terms and those added by feedback. */
export async function presentHits(
  reader: Reader,
  found: readonly RankedCandidate[],
  spaces: readonly Space[],
  terms: readonly QueryTerm[],
  wider: readonly QueryTerm[],
  averages: AverageLengths,
): Promise<SearchHit[]> {
  const { amongNumbers } = engineOf(reader);
  const rows = await reader.all<FoundRow>(
    `select d.doc, d.space, d.id, b.body from search_documents d join search_bodies b on b.doc = d.doc
     where d.doc ${amongNumbers}`,
    [JSON.stringify(found.map(({ candidate }) => candidate.doc))],
  );
  const rowOf = new Map(rows.map((row) => [row.doc, row]));
  const spaceOf = new Map(spaces.map((space) => [space.space, space]));
  const worths = new Map(wider.map(({ term, worth }) => [term, worth]));
  const own = terms.map(({ worth }) => worth);
  const added = wider.slice(terms.length);
  const counter = new TermCounter(added, []);
  return found.flatMap(({ candidate, ranked }) => {
    const row = rowOf.get(candidate.doc);
    const space = row && spaceOf.get(row.space);
    if (row === undefined || space === undefined) return [];
    const body = readBody(row.body);
    const matched = occurring(candidate.counts.frequencies, terms);
    const passageAt =
      matched.length > 0 ? scoreText(candidate.counts, own, averages).passageAt : candidate.nearestAt;
    const [chunk, passage] = body.passages[passageAt] ?? [0, ''];
    const hit: SearchHit = {
      projectId: space.projectId,
      collection: space.collection,
      id: row.id,
      score: ranked.score,
      parts: { text: ranked.text, vector: ranked.vector },
      ...(Number.isNaN(candidate.cosine) ? {} : { similarity: candidate.cosine }),
      reasons: {
        terms: matched,
        related: occurring(counter.count(candidate.row.terms)?.frequencies ?? NONE, added),
        date: ranked.date > 0,
        neighbour: ranked.around > 0,
      },
      best: { chunk, field: body.fields[chunk] ?? '', snippet: snippetOf(passage, worths), passage },
      ...(candidate.time !== null && { time: candidate.time }),
    };
    return [hit];
  });
}

const NONE = new Float64Array(0);
const MOST_REASONS = 8;

/** Those that occur, the rarest first. */
function occurring(frequencies: Float64Array, terms: readonly QueryTerm[]): string[] {
  const found = terms.filter((_, slot) => {
    for (let at = slot; at < frequencies.length; at += terms.length) if (frequencies[at] !== 0) return true;
    return false;
  });
  found.sort((a, b) => b.worth - a.worth);
  return found.slice(0, MOST_REASONS).map(({ term }) => term);
}
