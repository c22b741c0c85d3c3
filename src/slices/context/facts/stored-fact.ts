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
  /** One line of JSON, without how the fact ended: that is in columns of its own. */
  readonly wire: string;
  readonly validFrom: string;
  readonly fromMicros: Micros;
  readonly validTo: string | null;
  readonly toMicros: Micros | null;
  readonly createdMicros: Micros;
  /** JSON text of the actor who ended the fact without a successor. */
  readonly invalidatedBy: string | null;
}

/** The fact on the wire: as its author wrote it, with how it ended. */
export function factText(fact: Pick<StoredFact, 'wire' | 'validTo' | 'invalidatedBy'>): string {
  const ended = fact.invalidatedBy === null ? '' : `,"x-invalidated_by":${fact.invalidatedBy}`;
  return `${fact.wire.slice(0, -1)},"valid_to":${JSON.stringify(fact.validTo)}${ended}}`;
}

/** A fact that holds now: the protocol calls it current by having no end, also where one is scheduled. */
export function currentFactText(fact: Pick<StoredFact, 'wire'>): string {
  return factText({ ...fact, validTo: null, invalidatedBy: null });
}

export const FACTS = 'fact';

/** Search finds only what is true now; `as_of` queries find what was true before. */
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

/** Somebody who searches for `deploy_status` types two words. */
function words(text: string): string {
  const spaced = text.replaceAll(/[_\-:/.]+/g, ' ').trim();
  return spaced === text || spaced === '' ? text : `${text} ${spaced}`;
}
