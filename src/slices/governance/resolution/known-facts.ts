/** What the server knows besides the request: found before a decision, and recorded with it so that a replay knows it too. */
import type { Micros } from '../../../kernel/clock.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import type { LoadedSet } from '../atlases/sets.ts';
import type { KnownFact } from '../policies/rules/when/surroundings.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { RecordedInput } from '../traces/schema.ts';
import type { ResolveInput } from './rules/input.ts';

/** Nothing is read for Atlases whose rules look at no fact. */
export async function factsFor(
  reader: Reader,
  { facts }: Pick<GovernanceDeps, 'facts'>,
  { set }: Pick<LoadedSet, 'set'>,
  projectId: string,
  now: Micros,
): Promise<readonly KnownFact[]> {
  return set.facts.length === 0 ? [] : facts(reader, projectId, set.facts, now);
}

/** The text of a fact stands beside its id and digest: the record can be replayed where the project is not. */
export function recordedKnowledge({
  asker,
  facts = [],
}: Pick<ResolveInput, 'asker' | 'facts'>): Pick<RecordedInput, 'asker' | 'facts'> {
  return {
    ...(asker && {
      asker: {
        actor: asker.actor,
        actor_type: asker.actorType,
        credential: asker.credential,
        project: asker.project,
      },
    }),
    ...(facts.length > 0 && { facts: facts.map(({ factId, ...fact }) => ({ ...fact, fact_id: factId })) }),
  };
}

export function knowledgeOf({
  asker,
  facts,
}: Pick<RecordedInput, 'asker' | 'facts'>): Pick<ResolveInput, 'asker' | 'facts'> {
  return {
    ...(asker && { asker: { ...asker, actorType: asker.actor_type } }),
    ...(facts && { facts: facts.map(({ fact_id: factId, ...fact }) => ({ ...fact, factId })) }),
  };
}
