import { formatMicros } from '../../../kernel/instant.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import type { ContextDeps } from '../ports.ts';
import { endFact, type FactEnd, type FactKey, keyHash, selectCurrent } from './store.ts';
import { FACTS, type StoredFact } from './stored-fact.ts';

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
    const invalidatedBy = JSON.stringify({ id: actor.id, type: actor.type });
    await endCurrent(uow, search, current, { at: formatMicros(micros), micros, invalidatedBy });
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

/** Only what is true now is searched. */
export async function endCurrent(
  uow: UnitOfWork,
  search: ContextDeps['search'],
  current: StoredFact,
  end: FactEnd,
): Promise<void> {
  await endFact(uow, current, end);
  search.remove(uow, { projectId: current.projectId, collection: FACTS, id: current.factId });
}
