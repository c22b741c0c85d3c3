import type { Micros } from '../../../kernel/clock.ts';
import type { SearchDocument } from '../../../spine/search/document.ts';

export interface StoredFact {
  /** Order of arrival. */
  readonly seq: number;
  readonly projectId: string;
  readonly factId: string;
  readonly subject: string;
  readonly predicate: string;
  readonly value: string;
  /** One line of JSON without what ends it: `valid_to` and who ended it stand in columns. */
  readonly wire: string;
  readonly validFrom: string;
  readonly fromMicros: Micros;
  readonly validTo: string | null;
  readonly toMicros: Micros | null;
  readonly createdMicros: Micros;
  /** JSON text of an actor, where the fact was ended without a successor. */
  readonly invalidatedBy: string | null;
}

/** The fact on the wire, as its author wrote it, with how it ended. */
export function factText(fact: Pick<StoredFact, 'wire' | 'validTo' | 'invalidatedBy'>): string {
  const ended = fact.invalidatedBy === null ? '' : `,"x-invalidated_by":${fact.invalidatedBy}`;
  return `${fact.wire.slice(0, -1)},"valid_to":${JSON.stringify(fact.validTo)}${ended}}`;
}

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
