import { inverseFrequency } from '../rules/bm25.ts';
import type { DictionaryEntry } from './dictionary.ts';
import { groupBy } from './group-by.ts';
import type { Space } from './spaces.ts';
import type { QueryTerm } from './term-counter.ts';

/** Those of the words that the dictionary knows, in their order. */
export function toQueryTerms(
  words: readonly string[],
  entries: readonly DictionaryEntry[],
  spaces: readonly Space[],
): QueryTerm[] {
  const documents = spaces.reduce((total, space) => total + space.documents, 0);
  const byWord = groupBy(entries, ({ word }) => word);
  return words.flatMap((term) => {
    const found = byWord.get(term) ?? [];
    if (found.length === 0) return [];
    const withTerm = found.reduce((total, entry) => total + entry.documents, 0);
    const worth = inverseFrequency(documents, withTerm);
    return [{ term, numbers: found.map((entry) => entry.term), documents: withTerm, worth }];
  });
}
