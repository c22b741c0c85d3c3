import { formatMicros } from '../../../kernel/instant.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import type { ContextDeps } from '../ports.ts';
import { endSpan } from './place.ts';
import { selectSpans } from './span-store.ts';
import { type FactKey, keyHash, selectHeld } from './store.ts';
import { spanAt } from './timeline.ts';

export interface InvalidateRequest {
  readonly key: FactKey;
  readonly principal: Principal;
  /** End the fact only if this is its value. */
  readonly value?: string | undefined;
}

/** Ends the current fact without a successor and returns how many were ended: 0 or 1. What is scheduled stays. */
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
    const hash = keyHash(hasher, key);
    const now = clock.now();
    const current = await selectHeld(uow, projectId, hash, now);
    if (!current || (value !== undefined && current.value !== value)) return 0;
    const timeline = { projectId, key: hash };
    const span = spanAt(await selectSpans(uow, timeline, now), now);
    if (!span) throw new Error(`fact ${current.factId} holds without a span`);
    const invalidatedBy = JSON.stringify({ id: actor.id, type: actor.type });
    await endSpan(uow, search, timeline, span, { at: formatMicros(now), micros: now, invalidatedBy }, now);
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
