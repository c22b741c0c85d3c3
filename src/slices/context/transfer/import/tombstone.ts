import { spliceMembers } from '../../../../kernel/json/compact.ts';
import { readDocument } from '../../../../kernel/json/reader.ts';
import type { Principal } from '../../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../../spine/storage/database.ts';
import { insertAttestation } from '../../attest/store.ts';
import { selectNamedOnlyBy } from '../../blobs/store.ts';
import { insertLinks } from '../../packages/link-store.ts';
import { destroyContent } from '../../packages/redact.ts';
import { alignStanding, insertPackage, selectPackage } from '../../packages/store.ts';
import { DEFAULT_SIGNIFICANCE, type StoredPackage } from '../../packages/stored-package.ts';
import type { ContextDeps } from '../../ports.ts';
import { withoutNote } from '../../review/rules.ts';
import { insertEntry } from '../../review/store.ts';
import { type ImportItem, type TombstoneLine, tombstoneLine } from '../schema.ts';
import { microsOf, parsed, refused, requireOwnProject } from './line.ts';
import { checkEnds, entriesBeyond, readLog } from './review-log.ts';

/** `redacted`: the package was here, and its content is destroyed now. */
type TombstoneOutcome = 'new' | 'redacted' | 'known';

/** What an export adds to a tombstone, for the package's row. */
const BESIDE = [
  'deposit_hash',
  'status',
  'review_type',
  'package_type',
  'created_at',
  'created_by',
  'parents',
];

export function tombstoneImport(
  deps: Pick<ContextDeps, 'clock' | 'hasher' | 'search' | 'inbox' | 'forgetAnswers' | 'record'>,
) {
  const { clock, hasher } = deps;

  async function place(uow: UnitOfWork, given: TombstoneLine): Promise<void> {
    const fresh = {
      projectId: given.project_id,
      packageId: given.package_id,
      original: '{}',
      depositHash: given.deposit_hash,
      bodyHash: given.body_hash,
      status: given.status,
      reviewType: given.review_type,
      packageType: given.package_type,
      title: '',
      createdAt: given.created_at,
      createdMicros: microsOf(given.created_at),
      author: { id: given.created_by.id, type: given.created_by.type },
      depositor: null,
      sessionId: null,
      significance: DEFAULT_SIGNIFICANCE,
      handoff: false,
      depositedMicros: clock.now(),
    };
    await insertPackage(uow, fresh);
    const links = { parents: given.parents ?? [], questions: [], resolves: [], refs: [] };
    await insertLinks(uow, fresh, fresh.createdMicros, links);
  }

  return async (uow: UnitOfWork, item: ImportItem, principal: Principal): Promise<TombstoneOutcome> => {
    const given = parsed(tombstoneLine, item.line);
    const { project_id: projectId, package_id: packageId } = given;
    await requireOwnProject(uow, principal, projectId);
    const existing = await selectPackage(uow, projectId, packageId);
    if (existing && existing.bodyHash !== given.body_hash) {
      throw refused(`Another package has the id ${packageId}.`, { package_id: packageId });
    }
    if (existing?.tombstone != null) return 'known';
    const log = readLog(hasher, item.reviews ?? [], packageId);
    checkEnds(log, { packageId, depositHash: given.deposit_hash, contentHash: given.content_hash });
    if (!existing) await place(uow, given);
    const stored = (await selectPackage(uow, projectId, packageId)) as StoredPackage;
    for (const entry of await entriesBeyond(uow, stored, log)) await insertEntry(uow, withoutNote(entry));
    const standing = { status: given.status, reviewType: given.review_type };
    await alignStanding(uow, stored, { ...standing, contentHash: given.content_hash, logSeq: log.length });
    for (const envelope of item.attestations ?? []) {
      await insertAttestation(uow, stored, envelope, hasher.hex(envelope));
    }
    const blobs = (given.blobs ?? []).map((name) => name.replace('sha256:', ''));
    await destroyContent(
      uow,
      deps,
      { ...stored, contentHash: given.content_hash },
      {
        tombstone: spliceMembers(readDocument(item.line), new Map(BESIDE.map((name) => [name, null]))),
        blobs: await selectNamedOnlyBy(uow, stored, blobs),
        by: principal.actor,
      },
    );
    return existing ? 'redacted' : 'new';
  };
}
