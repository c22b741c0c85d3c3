import { formatMicros } from '../../../kernel/instant.ts';
import type { Actor, Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import type { ContextDeps } from '../ports.ts';
import { endFact, type FactKey, keyHash, selectCurrent } from './store.ts';
import type { StoredFact } from './stored-fact.ts';
import { FACTS } from './stored-fact.ts';

export interface InvalidateRequest {
  readonly key: FactKey;
  readonly principal: Principal;
  /** End the fact only if this is its value. */
  readonly value?: string | undefined;
}

/** Ends the current fact without a successor and returns how many were ended: 0 or 1. */
export type InvalidateFact = (uow: UnitOfWork, request: InvalidateRequest) => Promise<number>;

export function createInvalidateFact({
  clock,
  hasher,
  search,
  record,
}: Pick<ContextDeps, 'clock' | 'hasher' | 'search' | 'record'>): InvalidateFact {
  return async (uow, { key, principal, value }) => {
    const { projectId } = key;
    const { actor } = principal;
    await uow.lock(factLock(key));
    await requireReadableProject(uow, principal, projectId);
    const current = await selectCurrent(uow, projectId, keyHash(hasher, key));
    if (!current || (value !== undefined && current.value !== value)) return 0;
    const micros = Math.max(clock.now(), current.fromMicros);
    await endCurrent(uow, search, current, { at: formatMicros(micros), micros }, actor);
    await record(uow, {
      projectId,
      by: actor,
      type: 'fact.invalidated',
      payload: { fact_id: current.factId, actor_id: actor.id, actor_type: actor.type },
    });
    return 1;
  };
}

export function factLock({ projectId, subject, predicate }: FactKey): string {
  return `fact:${JSON.stringify([projectId, subject, predicate])}`;
}

/** Only what is true now is searched. `by` is who ended the fact, if no other fact supersedes it. */
export async function endCurrent(
  uow: UnitOfWork,
  search: ContextDeps['search'],
  current: StoredFact,
  end: { readonly at: string; readonly micros: number },
  by?: Actor,
): Promise<void> {
  const invalidatedBy = by ? JSON.stringify({ id: by.id, type: by.type }) : null;
  await endFact(uow, current, { ...end, invalidatedBy });
  search.remove(uow, { projectId: current.projectId, collection: FACTS, id: current.factId });
}
