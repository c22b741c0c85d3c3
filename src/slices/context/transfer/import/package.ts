import type { Principal } from '../../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../../spine/storage/database.ts';
import { INDEXED_IN_PART } from '../../answer.ts';
import { insertAttestation } from '../../attest/store.ts';
import { insertLinks } from '../../packages/link-store.ts';
import { checkPackage, linksOf } from '../../packages/rules.ts';
import { insertPackage, selectPackage } from '../../packages/store.ts';
import { newPackage, packageDocument, type StoredPackage } from '../../packages/stored-package.ts';
import type { ContextDeps } from '../../ports.ts';
import type { OpenReview } from '../../review/review.ts';
import type { ImportCounts, ImportItem } from '../schema.ts';
import { microsOf, refused, requireOwnProject } from './line.ts';
import { type ImportedPackage, readImportedPackage } from './read-package.ts';
import { catchUpReviews } from './review-log.ts';

/** A known package may have been reviewed further since; anything else under its id is refused. */
export function packageImport(
  { clock, hasher, search, record }: Pick<ContextDeps, 'clock' | 'hasher' | 'search' | 'record'>,
  openReview: OpenReview,
) {
  async function insertWhole(
    uow: UnitOfWork,
    read: ImportedPackage,
    { actor }: Principal,
    counts: ImportCounts,
  ): Promise<StoredPackage> {
    const { view, deposited } = read;
    const { status, review_type } = deposited.plain as typeof view;
    const hashes = { content: read.depositHash, body: read.bodyHash };
    const createdMicros = microsOf(view.created_at);
    const fresh = newPackage(
      { ...view, status, review_type },
      deposited.text,
      hashes,
      createdMicros,
      clock.now(),
    );
    await insertPackage(uow, fresh);
    await insertLinks(uow, fresh, createdMicros, linksOf(hasher, view));
    if (view.status !== 'draft' && !search.index(uow, packageDocument(view, createdMicros)).whole)
      counts.warnings.push(`${view.package_id}: ${INDEXED_IN_PART}.`);
    await record(uow, {
      projectId: fresh.projectId,
      by: actor,
      type: 'package.deposited',
      payload: {
        package_id: fresh.packageId,
        content_hash: read.depositHash,
        body_hash: read.bodyHash,
        status: fresh.status,
        package_type: fresh.packageType,
        actor_id: actor.id,
        actor_type: actor.type,
        author_id: fresh.author.id,
        author_type: fresh.author.type,
        imported: true,
      },
    });
    return fresh;
  }

  return async (
    uow: UnitOfWork,
    item: ImportItem,
    principal: Principal,
    counts: ImportCounts,
  ): Promise<void> => {
    const read = readImportedPackage(hasher, item);
    counts.warnings.push(...read.warnings);
    const { view } = read;
    const projectId = view.project_id;
    await requireOwnProject(uow, principal, projectId);
    checkPackage(view, projectId, true);
    const existing = await selectPackage(uow, projectId, view.package_id);
    if (existing && existing.bodyHash !== read.bodyHash) {
      throw refused(`Another package has the id ${view.package_id}.`, { package_id: view.package_id });
    }
    // What was destroyed here stays destroyed.
    if (existing?.tombstone != null) {
      counts.unchanged += 1;
      return;
    }
    const stored = existing ?? (await insertWhole(uow, read, principal, counts));
    const reviewed = await catchUpReviews(uow, stored, read, { principal, record });
    counts.reviews += reviewed;
    if (read.reviews.length === 0 && stored.logSeq === 0 && stored.contentHash !== read.contentHash) {
      counts.warnings.push(
        `${view.package_id} is ${view.status} there, without a log that says how; here it stays ${stored.status}.`,
      );
    }
    if (!existing) counts.packages += 1;
    else if (reviewed === 0) counts.unchanged += 1;
    for (const envelope of item.attestations ?? []) {
      await insertAttestation(uow, stored, envelope, hasher.hex(envelope));
    }
    if (view.status === 'awaiting_review' && view.review_type !== 'none' && (reviewed > 0 || !existing)) {
      const now = (await selectPackage(uow, projectId, view.package_id)) as StoredPackage;
      if (now.status === 'awaiting_review') await openReview(uow, now);
    }
  };
}
