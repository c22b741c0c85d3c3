import type { Actor } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { deleteBlob, selectNamedOnlyBy } from '../blobs/store.ts';
import type { ContextParts, RecordLedger } from '../context.ts';
import { REVIEW_KIND } from '../review/review.ts';
import { forgetNotes } from '../review/store.ts';
import { PACKAGES } from './searchable.ts';
import { bury } from './store.ts';
import type { StoredPackage } from './stored-package.ts';

export interface Destruction {
  /** JSON text that stands in the package's place from now on. */
  readonly tombstone: string;
  /** SHA-256 of blobs that go with it. */
  readonly blobs: readonly string[];
  readonly by: Actor;
}

const BLANK_TITLE = '(redacted)';

/** Every copy of the content that the store holds: the rows, the index, the inbox, kept answers, blobs. */
export async function destroyContent(
  { search, inbox, forgetAnswers }: Pick<ContextParts, 'search' | 'inbox' | 'forgetAnswers'>,
  record: RecordLedger,
  uow: UnitOfWork,
  stored: StoredPackage,
  { tombstone, blobs, by }: Destruction,
): Promise<void> {
  const { projectId, packageId, contentHash, bodyHash } = stored;
  const reviews = { projectId, kind: REVIEW_KIND, subject: { type: 'package', id: packageId } };
  await bury(uow, stored, tombstone);
  await forgetNotes(uow, stored);
  for (const sha256 of blobs) await deleteBlob(uow, projectId, sha256);
  search.remove(uow, { projectId, collection: PACKAGES, id: packageId });
  await inbox.supersedeSubject(uow, { ...reviews, by, reason: 'redacted' });
  await inbox.blankSubject(uow, reviews, BLANK_TITLE);
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

/** The blobs that only this package names: they are its content too. */
export async function blobsOf(uow: UnitOfWork, stored: StoredPackage): Promise<string[]> {
  const named = stored.original?.matchAll(/sha256:([0-9a-f]{64})/g) ?? [];
  return selectNamedOnlyBy(
    uow,
    stored,
    [...named].map(([, hex]) => hex as string),
  );
}
