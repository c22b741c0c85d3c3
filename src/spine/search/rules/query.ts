import { contentTerms } from './stop-words.ts';
import { termsIn } from './tokenize.ts';

/** Of a pasted page, only the first words are used; each further term costs time and adds little. */
const MAX_TERMS = 64;

/** What is looked up for a query: each term once, in order, without the stop words. */
export function queryTerms(query: string): readonly string[] {
  return [...new Set(contentTerms(termsIn(query)))].slice(0, MAX_TERMS);
}
