import { spliceMembers } from '../../../kernel/json/compact.ts';
import { readDocument } from '../../../kernel/json/reader.ts';
import type { ContextParts } from '../../context.ts';
import { insertLinks } from '../../packages/link-store.ts';
import { bury, insertPackage, selectPackage } from '../../packages/package-store.ts';
import { PACKAGES } from '../../packages/searchable.ts';
import type { StoredPackage } from '../../packages/stored-package.ts';
import { type ImportLine, microsOf, parsed, refused, requireOwnProject } from './line.ts';
import { tombstoneLine } from './lines.ts';

const DEFAULT_SIGNIFICANCE = 5;

/** What an export puts beside a tombstone, for the row that it stands in. */
const BESIDE = [
  'deposit_hash',
  'status',
  'review_type',
  'package_type',
  'created_at',
  'created_by',
  'parents',
];

export function tombstoneImport({ clock, search }: Pick<ContextParts, 'clock' | 'search'>): ImportLine {
  return async (uow, line, principal) => {
    const given = parsed(tombstoneLine, line);
    const { deposit_hash, status, review_type, package_type, created_at, created_by, parents, ...tombstone } =
      given;
    const projectId = String(given.project_id);
    await requireOwnProject(uow, principal, projectId);
    const packageId = String(given.package_id);
    const existing = await selectPackage(uow, projectId, packageId);
    if (existing && existing.bodyHash !== tombstone.body_hash) {
      throw refused(`Another package has the id ${packageId}.`, { package_id: packageId });
    }
    if (existing?.tombstone != null) return false;
    if (!existing) {
      const fresh = {
        projectId,
        packageId,
        original: '{}',
        depositHash: String(deposit_hash),
        bodyHash: String(tombstone.body_hash),
        status,
        reviewType: review_type,
        packageType: String(package_type),
        title: '',
        createdAt: String(created_at),
        createdMicros: microsOf(created_at),
        author: { id: String(created_by.id), type: created_by.type },
        sessionId: null,
        significance: DEFAULT_SIGNIFICANCE,
        handoff: false,
        depositedMicros: clock.now(),
      };
      await insertPackage(uow, fresh);
      const links = { parents: parents ?? [], questions: [], resolves: [], refs: [] };
      await insertLinks(uow, fresh, fresh.createdMicros, links);
    }
    const stored = (await selectPackage(uow, projectId, packageId)) as StoredPackage;
    const alone = spliceMembers(readDocument(line), new Map(BESIDE.map((name) => [name, null])));
    await bury(uow, stored, alone);
    await uow.run('update packages set content_hash = ? where project_id = ? and package_id = ?', [
      String(tombstone.content_hash),
      projectId,
      packageId,
    ]);
    search.remove(uow, { projectId, collection: PACKAGES, id: packageId });
    return true;
  };
}
