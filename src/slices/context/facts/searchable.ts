import type { SearchDocument } from '../../../spine/search/document.ts';
import type { StoredFact } from './stored-fact.ts';

export const FACTS = 'fact';

/** Only what is true now is found; what was true is asked for by `as_of`. */
export function factDocument(
  fact: Pick<StoredFact, 'projectId' | 'factId' | 'subject' | 'predicate' | 'value' | 'fromMicros'>,
): SearchDocument {
  return {
    projectId: fact.projectId,
    collection: FACTS,
    id: fact.factId,
    fields: [{ name: 'fact', text: `${words(fact.subject)} ${words(fact.predicate)}: ${fact.value}` }],
    time: fact.fromMicros,
  };
}

/** `deploy_status` is two words to whoever looks for it. */
function words(text: string): string {
  const spaced = text.replaceAll(/[_\-:/.]+/g, ' ').trim();
  return spaced === text || spaced === '' ? text : `${text} ${spaced}`;
}
