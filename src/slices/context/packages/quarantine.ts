import { toPlain } from '../../../kernel/json/plain.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { contextErrors } from '../errors.ts';
import type { ContextDeps } from '../ports.ts';
import type { Package } from '../schema.ts';
import { integrityFault } from './integrity.ts';
import { isVisibleTo, markQuarantined, markReleased, selectPackage } from './store.ts';
import { PACKAGES, packageDocument, type StoredPackage } from './stored-package.ts';

export interface QuarantineAnswer {
  readonly changed: string[];
  /** What was left as it was, and why. */
  readonly left: { readonly package_id: string; readonly reason: string }[];
}

/**
 * Takes packages out of what agents are handed and find (orientation, lists, search), or puts them back. They stay where they
 * are, with their place in the lineage, and can be read by their id. Only a person does either.
 */
export async function quarantinePackages(
  uow: UnitOfWork,
  deps: Pick<ContextDeps, 'hasher' | 'search' | 'record'>,
  principal: Principal,
  { projectId, packageIds, release }: { projectId: string; packageIds: readonly string[]; release: boolean },
): Promise<QuarantineAnswer> {
  if (principal.actor.type !== 'human') throw contextErrors.quarantine_needs_person();
  const answer: QuarantineAnswer = { changed: [], left: [] };
  for (const packageId of new Set(packageIds)) {
    const stored = await selectPackage(uow, projectId, packageId);
    const reason = reasonToLeave(deps, principal, stored, release);
    if (reason !== undefined || !stored) {
      answer.left.push({ package_id: packageId, reason: reason ?? 'package_not_found' });
      continue;
    }
    if (release) {
      await markReleased(uow, projectId, packageId);
      const view = toPlain(readJson(stored.original ?? '{}')) as unknown as Package;
      if (stored.status !== 'draft') deps.search.index(uow, packageDocument(view, stored.createdMicros));
    } else {
      await markQuarantined(uow, projectId, packageId);
      deps.search.remove(uow, { projectId, collection: PACKAGES, id: packageId });
    }
    await deps.record(uow, {
      projectId,
      by: principal.actor,
      type: release ? 'package.released' : 'package.quarantined',
      payload: {
        package_id: packageId,
        content_hash: stored.contentHash,
        actor_id: principal.actor.id,
        actor_type: principal.actor.type,
      },
    });
    answer.changed.push(packageId);
  }
  return answer;
}

/** What does not match its hash is kept out by the server, and by nobody's word put back. */
function reasonToLeave(
  { hasher }: Pick<ContextDeps, 'hasher'>,
  { actor }: Principal,
  stored: StoredPackage | undefined,
  release: boolean,
): string | undefined {
  if (!stored || !isVisibleTo(stored, actor)) return 'package_not_found';
  if (stored.tombstone !== null) return 'package_redacted';
  if (stored.quarantined !== release) return release ? 'not_quarantined' : 'already_quarantined';
  return release ? integrityFault(hasher, stored) : undefined;
}
