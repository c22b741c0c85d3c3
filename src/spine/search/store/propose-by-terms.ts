import type { Reader } from '../../storage/database.ts';
import { isStopTerm } from '../rules/stop-words.ts';
import { DocWeights } from './doc-weights.ts';
import { engineOf } from './engine.ts';
import type { QueryTerm } from './term-counter.ts';

/** What narrows a search before anything is proposed. */
export interface Scope {
  readonly filters: readonly (readonly number[])[];
  readonly asOf: number | undefined;
  /** The only documents allowed, if the caller named them. */
  readonly allowed: ReadonlySet<number> | undefined;
}

/** How many postings are read for one search (about a millisecond per ten thousand). */
const POSTINGS = 20_000;
/** Terms worth less than this share of the rarest are left out once there are enough documents. */
const TELLING = 0.3;
/** A document that is about a term goes before one that only mentions it. */
const STRONG = 0.5;

/**
 * Documents that share the rarest terms with the query. From the rarest on, every document of a term gets the term's
 * worth. When the postings are spent, only the documents that are about a term are read, the newest first. So a common
 * word never costs more than its share, and where all words are common those documents win that have the most of them
 * together. Stop words, asked only when there is nothing else, are posted only where they are strong.
 */
export async function proposeByTerms(
  reader: Reader,
  terms: readonly QueryTerm[],
  scope: Scope,
  wanted: number,
): Promise<number[]> {
  const engine = engineOf(reader);
  const weights = new DocWeights();
  const { filters, asOf, allowed } = scope;
  let read = 0;
  const find = async ({ numbers, worth }: QueryTerm, strong: boolean, limit?: number): Promise<void> => {
    const asked = { anyOf: numbers, strong, filters, asOf };
    const found = await engine.find(reader, limit === undefined ? asked : { ...asked, limit });
    read += found.length;
    weights.add(allowed ? found.filter((doc) => allowed.has(doc)) : found, strong ? worth * STRONG : worth);
  };
  const rarestFirst = [...terms].sort((a, b) => a.documents - b.documents || (a.term < b.term ? -1 : 1));
  for (const term of rarestFirst) {
    if (read >= wanted && term.worth < TELLING * (rarestFirst[0] as QueryTerm).worth) break;
    const posted = !isStopTerm(term.term);
    if (posted && read + term.documents <= POSTINGS) await find(term, false);
    if ((!posted || term.documents > wanted) && read < POSTINGS) await find(term, true, POSTINGS - read);
  }
  return weights.heaviest(wanted);
}
