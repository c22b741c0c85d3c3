import { formatMicros } from '../../../kernel/instant.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { ContextParts, RecordLedger } from '../context.ts';
import { blobsOf, destroyContent } from './destroy.ts';
import type { StoredPackage } from './stored-package.ts';

/** Puts a tombstone in the place of a package. Doing it again changes nothing. */
export async function redact(
  parts: Pick<ContextParts, 'clock' | 'search' | 'inbox' | 'forgetAnswers'>,
  record: RecordLedger,
  uow: UnitOfWork,
  stored: StoredPackage,
  { principal, reason }: { readonly principal: Principal; readonly reason: string },
): Promise<string> {
  if (stored.tombstone !== null) return stored.tombstone;
  const { id, type } = principal.actor;
  const blobs = await blobsOf(uow, stored);
  const tombstone = JSON.stringify({
    package_id: stored.packageId,
    project_id: stored.projectId,
    content_hash: stored.contentHash,
    body_hash: stored.bodyHash,
    redacted_at: formatMicros(parts.clock.now()),
    by: { id, type },
    reason,
    ...(blobs.length > 0 && { blobs: blobs.map((sha256) => `sha256:${sha256}`) }),
  });
  await destroyContent(parts, record, uow, stored, { tombstone, blobs, by: { id, type } });
  return tombstone;
}
