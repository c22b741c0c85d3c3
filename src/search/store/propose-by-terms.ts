import type { Reader } from '../../storage/database.ts';
import { DocWeights } from './doc-weights.ts';
import { engineOf } from './engine.ts';
import type { QueryTerm } from './term-scorer.ts';

/** What narrows a search before anything is proposed. */
export interface Scope {
  readonly filters: readonly (readonly number[])[];
  readonly asOf: number | undefined;
  /** The only documents allowed, if the caller named them. */
  readonly allowed: ReadonlySet<number> | undefined;
}

/** How many postings one search reads (about a millisecond per ten thousand), and how many documents it proposes. */
const POSTINGS = 50_000;
const PROPOSED = 400;
/** A document that is about a term goes before one that only mentions it. */
const STRONG = 0.5;

/**
 * Documents that share the rarest terms with the query. From the rarest on, every document of a term gets the term's
 * worth, until the postings are spent; of a term that is too common for what is left only the documents that are
 * about it. So a common word never costs more than its share, and where all words are common those documents win
 * that have the most of them together.
 */
export async function proposeByTerms(
  reader: Reader,
  terms: readonly QueryTerm[],
  scope: Scope,
): Promise<number[]> {
  const engine = engineOf(reader);
  const weights = new DocWeights();
  let left = POSTINGS;
  const find = async ({ numbers, worth }: QueryTerm, strong: boolean): Promise<void> => {
    const { filters, asOf, allowed } = scope;
    const found = await engine.find(reader, { anyOf: numbers, strong, filters, asOf, limit: left });
    left -= found.length;
    weights.add(allowed ? found.filter((doc) => allowed.has(doc)) : found, strong ? worth * STRONG : worth);
  };
  const rarestFirst = [...terms].sort((a, b) => a.documents - b.documents || (a.term < b.term ? -1 : 1));
  for (const term of rarestFirst) {
    if (left > 0 && term.documents > PROPOSED) await find(term, true);
    if (left >= term.documents) await find(term, false);
  }
  return weights.heaviest(PROPOSED);
}
