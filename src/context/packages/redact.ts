import type { Principal } from '../../identity/principal.ts';
import { formatMicros } from '../../kernel/instant.ts';
import type { UnitOfWork } from '../../storage/database.ts';
import type { ContextParts, RecordLedger } from '../context.ts';
import { REVIEW_KIND } from '../review/review.ts';
import { bury } from './package-store.ts';
import { PACKAGES } from './searchable.ts';
import type { StoredPackage } from './stored-package.ts';

/** Puts a tombstone in the place of a package. Doing it again changes nothing. */
export async function redact(
  parts: Pick<ContextParts, 'clock' | 'search' | 'inbox'>,
  record: RecordLedger,
  uow: UnitOfWork,
  stored: StoredPackage,
  { principal, reason }: { readonly principal: Principal; readonly reason: string },
): Promise<string> {
  if (stored.tombstone !== null) return stored.tombstone;
  const { projectId, packageId, contentHash, bodyHash } = stored;
  const by = { id: principal.actor.id, type: principal.actor.type };
  const tombstone = JSON.stringify({
    package_id: packageId,
    project_id: projectId,
    content_hash: contentHash,
    body_hash: bodyHash,
    redacted_at: formatMicros(parts.clock.now()),
    by,
    reason,
  });
  await bury(uow, stored, tombstone);
  parts.search.remove(uow, { projectId, collection: PACKAGES, id: packageId });
  await parts.inbox.supersedeSubject(uow, {
    projectId,
    kind: REVIEW_KIND,
    subject: { type: 'package', id: packageId },
    by: principal.actor,
    reason: 'redacted',
  });
  await record(uow, {
    projectId,
    by: principal.actor,
    type: 'package.redacted',
    payload: {
      package_id: packageId,
      content_hash: contentHash,
      body_hash: bodyHash,
      actor_id: by.id,
      actor_type: by.type,
    },
  });
  return tombstone;
}
