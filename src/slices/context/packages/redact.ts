import { formatMicros } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { deleteBlob, selectNamedOnlyBy } from '../blobs/store.ts';
import type { ContextDeps } from '../ports.ts';
import { questionOf } from '../questions/questions.ts';
import { reviewOf } from '../review/review.ts';
import { forgetNotes } from '../review/store.ts';
import { bury } from './store.ts';
import { PACKAGES, type StoredPackage } from './stored-package.ts';

type DestroyDeps = Pick<ContextDeps, 'search' | 'inbox' | 'forgetAnswers' | 'record'>;

const BLANK_TITLE = '(redacted)';

/** Replaces a package by a tombstone and returns it. Redacting it again changes nothing. */
export async function redact(
  uow: UnitOfWork,
  deps: DestroyDeps & Pick<ContextDeps, 'clock'>,
  stored: StoredPackage,
  { by: { id, type }, reason }: { readonly by: Actor; readonly reason: string },
): Promise<string> {
  if (stored.tombstone !== null) return stored.tombstone;
  const blobs = await ownBlobs(uow, stored);
  const tombstone = JSON.stringify({
    package_id: stored.packageId,
    project_id: stored.projectId,
    content_hash: stored.contentHash,
    body_hash: stored.bodyHash,
    redacted_at: formatMicros(deps.clock.now()),
    by: { id, type },
    reason,
    ...(blobs.length > 0 && { blobs: blobs.map((sha256) => `sha256:${sha256}`) }),
  });
  await destroyContent(uow, deps, stored, { tombstone, blobs, by: { id, type } });
  return tombstone;
}

/** The blobs that no other package names: they are this package's content too. */
async function ownBlobs(uow: UnitOfWork, stored: StoredPackage): Promise<string[]> {
  const named = stored.original?.matchAll(/sha256:([0-9a-f]{64})/g) ?? [];
  return selectNamedOnlyBy(
    uow,
    stored,
    [...named].map(([, hex]) => hex as string),
  );
}

export interface Destruction {
  /** JSON text that replaces the package. */
  readonly tombstone: string;
  /** SHA-256 of the blobs that go with it. */
  readonly blobs: readonly string[];
  readonly by: Actor;
}

/** Destroys every copy of the content in the store: rows, search index, inbox, stored responses, blobs. */
export async function destroyContent(
  uow: UnitOfWork,
  { search, inbox, forgetAnswers, record }: DestroyDeps,
  stored: StoredPackage,
  { tombstone, blobs, by }: Destruction,
): Promise<void> {
  const { projectId, packageId, contentHash, bodyHash } = stored;
  await bury(uow, stored, tombstone);
  await forgetNotes(uow, stored);
  for (const sha256 of blobs) await deleteBlob(uow, projectId, sha256);
  search.remove(uow, { projectId, collection: PACKAGES, id: packageId });
  for (const about of [reviewOf(stored), questionOf(stored)]) {
    await inbox.supersedeSubject(uow, { ...about, by, reason: 'redacted' });
    await inbox.blankSubject(uow, about, BLANK_TITLE);
  }
  await forgetAnswers(uow, { packageId, bodyHash });
  await record(uow, {
    projectId,
    by,
    type: 'package.redacted',
    payload: {
      package_id: packageId,
      content_hash: contentHash,
      body_hash: bodyHash,
      actor_id: by.id,
      actor_type: by.type,
    },
  });
}
