import { contentTerms } from './stop-words.ts';
import { termsIn } from './tokenize.ts';

/** A pasted page is asked by its first words; each further term costs time and says little. */
const MAX_TERMS = 64;

/** What is looked up for a query: each term once, in order, without the stop words. */
export function queryTerms(query: string): readonly string[] {
  return [...new Set(contentTerms(termsIn(query)))].slice(0, MAX_TERMS);
}
