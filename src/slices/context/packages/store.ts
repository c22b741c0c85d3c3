import type { Micros } from '../../../kernel/clock.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Standing } from '../review/rules.ts';
import { PACKAGE_COLUMNS, type PackageRow, packageOf, type StoredPackage } from './stored-package.ts';

export async function selectPackage(
  reader: Reader,
  projectId: string,
  packageId: string,
): Promise<StoredPackage | undefined> {
  const row = await reader.get<PackageRow>(
    `select ${PACKAGE_COLUMNS} from packages where project_id = ? and package_id = ?`,
    [projectId, packageId],
  );
  return row && packageOf(row);
}

/** What a deposit must know of the place it goes to. */
export interface Place {
  readonly archivedAt: string | null;
  /** The project's, as JSON text. */
  readonly settings: string;
  /** Whether a package of this id is there. */
  readonly taken: boolean;
}

/** Undefined where there is no such project. */
export async function selectPlace(
  uow: UnitOfWork,
  projectId: string,
  packageId: string,
): Promise<Place | undefined> {
  const row = await uow.get<{ archived_at: string | null; settings: string; taken: number }>(
    `select archived_at, settings,
       (select count(*) from packages where project_id = projects.project_id and package_id = ?) as taken
     from projects where project_id = ?`,
    [packageId, projectId],
  );
  return row && { archivedAt: row.archived_at, settings: row.settings, taken: row.taken > 0 };
}

/** In every project: an id is unique only within one. */
export async function selectPackagesById(reader: Reader, packageId: string): Promise<StoredPackage[]> {
  const rows = await reader.all<PackageRow>(
    `select ${PACKAGE_COLUMNS} from packages where package_id = ? order by seq`,
    [packageId],
  );
  return rows.map(packageOf);
}

export type NewPackage = Omit<
  StoredPackage,
  'current' | 'contentHash' | 'logSeq' | 'supersededBy' | 'quarantined' | 'tombstone'
> & { readonly original: string; readonly depositedMicros: Micros };

export async function insertPackage(uow: UnitOfWork, stored: NewPackage): Promise<void> {
  await uow.run(
    `insert into packages (project_id, package_id, original, deposit_hash, content_hash, body_hash, status, review_type,
       package_type, title, created_at, created_us, author_id, author_type, session_id, significance, handoff, deposited_us)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      stored.projectId,
      stored.packageId,
      stored.original,
      stored.depositHash,
      stored.depositHash,
      stored.bodyHash,
      stored.status,
      stored.reviewType,
      stored.packageType,
      stored.title,
      stored.createdAt,
      stored.createdMicros,
      stored.author.id,
      stored.author.type,
      stored.sessionId,
      stored.significance,
      stored.handoff ? 1 : 0,
      stored.depositedMicros,
    ],
  );
}

/** False when somebody moved it since it was read. */
export async function updateStanding(
  uow: UnitOfWork,
  stored: StoredPackage,
  moved: Standing & { readonly current: string; readonly contentHash: string },
): Promise<boolean> {
  const changed = await uow.run(
    `update packages set status = ?, review_type = ?, current = ?, content_hash = ?, log_seq = log_seq + 1
     where project_id = ? and package_id = ? and log_seq = ? and tombstone is null`,
    [
      moved.status,
      moved.reviewType,
      moved.current,
      moved.contentHash,
      stored.projectId,
      stored.packageId,
      stored.logSeq,
    ],
  );
  return changed === 1;
}

/** For a package that was reviewed elsewhere and whose content is not here: only where it stands. */
export async function alignStanding(
  uow: UnitOfWork,
  { projectId, packageId }: StoredPackage,
  at: Standing & { readonly contentHash: string; readonly logSeq: number },
): Promise<void> {
  await uow.run(
    `update packages set status = ?, review_type = ?, content_hash = ?, log_seq = ?
     where project_id = ? and package_id = ?`,
    [at.status, at.reviewType, at.contentHash, at.logSeq, projectId, packageId],
  );
}

export async function markSuperseded(
  uow: UnitOfWork,
  projectId: string,
  packageId: string,
  by: string,
): Promise<void> {
  await uow.run(
    `update packages set superseded_by = ?
     where project_id = ? and package_id = ? and status = 'revision_requested' and superseded_by is null`,
    [by, projectId, packageId],
  );
}

export async function markQuarantined(
  uow: UnitOfWork,
  projectId: string,
  packageId: string,
): Promise<boolean> {
  const changed = await uow.run(
    'update packages set quarantined = 1 where project_id = ? and package_id = ? and quarantined = 0',
    [projectId, packageId],
  );
  return changed === 1;
}

/** What is left when the content is destroyed. */
export async function bury(uow: UnitOfWork, stored: StoredPackage, tombstone: string): Promise<void> {
  const key = [stored.projectId, stored.packageId];
  await uow.run(
    `update packages set original = null, current = null, title = '', session_id = null, handoff = 0, tombstone = ?
     where project_id = ? and package_id = ?`,
    [tombstone, ...key],
  );
  await uow.run('delete from package_questions where project_id = ? and package_id = ?', key);
  await uow.run('delete from package_refs where project_id = ? and package_id = ?', key);
}

/** Drafts are their author's alone. */
export const VISIBLE = `(packages.status <> 'draft' or (packages.author_id = ? and packages.author_type = ?))`;

export function isVisibleTo(stored: StoredPackage, actor: Actor): boolean {
  return stored.status !== 'draft' || (stored.author.id === actor.id && stored.author.type === actor.type);
}
