import type { Actor } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { fittingLimit } from '../../../spine/storage/fitting.ts';
import type { NewPackage, PackageHead, PlacedPackage, Standing, StoredPackage } from './stored-package.ts';

export interface PackageRow {
  readonly seq: number;
  readonly project_id: string;
  readonly package_id: string;
  readonly original: string | null;
  readonly current: string | null;
  readonly deposit_hash: string;
  readonly content_hash: string;
  readonly body_hash: string;
  readonly status: Standing['status'];
  readonly review_type: Standing['reviewType'];
  readonly log_seq: number;
  readonly package_type: string;
  readonly title: string;
  readonly created_at: string;
  readonly created_us: number;
  readonly author_id: string;
  readonly author_type: Actor['type'];
  readonly depositor_id: string | null;
  readonly depositor_type: Actor['type'] | null;
  readonly session_id: string | null;
  readonly significance: number;
  readonly handoff: number;
  readonly superseded_by: string | null;
  readonly quarantined: number;
  readonly tombstone: string | null;
}

export const PACKAGE_COLUMNS = `packages.seq, packages.project_id, packages.package_id, packages.original,
  packages.current, packages.deposit_hash, packages.content_hash, packages.body_hash, packages.status,
  packages.review_type, packages.log_seq, packages.package_type, packages.title, packages.created_at,
  packages.created_us, packages.author_id, packages.author_type, packages.session_id, packages.significance,
  packages.handoff, packages.superseded_by, packages.quarantined, packages.tombstone, packages.depositor_id,
  packages.depositor_type`;

/** How long the texts of a package are; reads neither. */
export const PACKAGE_BYTES =
  'coalesce(octet_length(packages.original), 0) + coalesce(octet_length(packages.current), 0)';

/** The columns of a package without its texts, which may be large. */
export const HEAD_COLUMNS = `${PACKAGE_COLUMNS.replace(
  /packages\.original,\s+packages\.current/,
  'null as original, null as current',
)}, ${PACKAGE_BYTES} as bytes`;

export function headOf({ bytes, ...row }: PackageRow & { readonly bytes: number }): PackageHead {
  const { original: _, current: __, ...head } = packageOf(row);
  return { ...head, bytes: Number(bytes) };
}

export function packageOf(row: PackageRow): PlacedPackage {
  return {
    seq: row.seq,
    projectId: row.project_id,
    packageId: row.package_id,
    original: row.original,
    current: row.current,
    depositHash: row.deposit_hash,
    contentHash: row.content_hash,
    bodyHash: row.body_hash,
    status: row.status,
    reviewType: row.review_type,
    logSeq: row.log_seq,
    packageType: row.package_type,
    title: row.title,
    createdAt: row.created_at,
    createdMicros: row.created_us,
    author: { id: row.author_id, type: row.author_type },
    depositor: depositorOf(row),
    sessionId: row.session_id,
    significance: row.significance,
    handoff: row.handoff === 1,
    supersededBy: row.superseded_by,
    quarantined: row.quarantined === 1,
    tombstone: row.tombstone,
  };
}

function depositorOf({ depositor_id: id, depositor_type: type }: PackageRow): Actor | null {
  return id === null || type === null ? null : { id, type };
}

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

export async function selectHead(
  reader: Reader,
  projectId: string,
  packageId: string,
): Promise<PackageHead | undefined> {
  const row = await reader.get<PackageRow & { bytes: number }>(
    `select ${HEAD_COLUMNS} from packages where project_id = ? and package_id = ?`,
    [projectId, packageId],
  );
  return row && headOf(row);
}

/** What a deposit must know about its project and id. */
export interface DepositPlace {
  readonly archivedAt: string | null;
  /** The project's, as JSON text. */
  readonly settings: string;
  /** Whether the project has a package with this id. */
  readonly taken: boolean;
}

/**
 * Undefined if there is no such project. One statement, project and package together, behind the keys that guard whether
 * the id is taken: every deposit waits for it.
 */
export async function lockPlace(
  uow: UnitOfWork,
  guards: readonly string[],
  projectId: string,
  packageId: string,
): Promise<DepositPlace | undefined> {
  const row = await uow.lockedGet<{ archived_at: string | null; settings: string; taken: number }>(
    guards,
    `select archived_at, settings,
       (select count(*) from packages where project_id = projects.project_id and package_id = ?) as taken
     from projects where project_id = ?`,
    [packageId, projectId],
  );
  return row && { archivedAt: row.archived_at, settings: row.settings, taken: row.taken > 0 };
}

/** In every project: an id is unique only within its project. */
export async function selectPackagesById(reader: Reader, packageId: string): Promise<StoredPackage[]> {
  const rows = await reader.all<PackageRow>(
    `select ${PACKAGE_COLUMNS} from packages where package_id = ? order by seq`,
    [packageId],
  );
  return rows.map(packageOf);
}

export interface ArrivedPage {
  readonly packages: readonly PlacedPackage[];
  /** Whether more may follow. */
  readonly more: boolean;
}

/** In order of arrival, including drafts and tombstones; fewer than `limit` where they are large. */
export async function selectArrived(
  reader: Reader,
  projectId: string,
  after: number,
  limit: number,
): Promise<ArrivedPage> {
  const arrived = 'from packages where project_id = ? and seq > ? order by seq limit ?';
  const sizes = `select ${PACKAGE_BYTES} as bytes ${arrived}`;
  const { limit: fitting } = await fittingLimit(reader, sizes, [projectId, after], limit);
  const rows = await reader.all<PackageRow>(`select ${PACKAGE_COLUMNS} ${arrived}`, [
    projectId,
    after,
    fitting,
  ]);
  return { packages: rows.map(packageOf), more: rows.length === fitting };
}

/** The columns of a new row. */
export type PackageInsert = Omit<
  NewPackage,
  'current' | 'contentHash' | 'logSeq' | 'supersededBy' | 'quarantined' | 'tombstone'
>;

export async function insertPackage(uow: UnitOfWork, stored: PackageInsert): Promise<void> {
  await uow.send(
    `insert into packages (project_id, package_id, original, deposit_hash, content_hash, body_hash, status, review_type,
       package_type, title, created_at, created_us, author_id, author_type, session_id, significance, handoff, deposited_us,
       depositor_id, depositor_type)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      stored.depositor?.id ?? null,
      stored.depositor?.type ?? null,
    ],
  );
}

/** Returns false if its status has changed since it was read. */
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

/** For a package that was reviewed elsewhere and whose content is not here: sets only its lifecycle. */
export async function alignStanding(
  uow: UnitOfWork,
  stored: StoredPackage,
  at: Standing & { readonly contentHash: string; readonly logSeq: number },
): Promise<void> {
  await uow.run(
    `update packages set status = ?, review_type = ?, content_hash = ?, log_seq = ?
     where project_id = ? and package_id = ?`,
    [at.status, at.reviewType, at.contentHash, at.logSeq, stored.projectId, stored.packageId],
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
     where project_id = ? and package_id = ? and superseded_by is null
       and (status = 'revision_requested' or package_type = 'auto_deposit')`,
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

export async function markReleased(uow: UnitOfWork, projectId: string, packageId: string): Promise<boolean> {
  const changed = await uow.run(
    'update packages set quarantined = 0 where project_id = ? and package_id = ? and quarantined = 1',
    [projectId, packageId],
  );
  return changed === 1;
}

/** The newest first. */
export function selectQuarantined(
  reader: Reader,
  projectId: string,
  actor: { readonly id: string; readonly type: string },
  limit: number,
): Promise<{ readonly package_id: string; readonly title: string }[]> {
  return reader.all(
    `select package_id, title from packages
     where project_id = ? and quarantined = 1 and tombstone is null and ${VISIBLE} order by seq desc limit ?`,
    [projectId, actor.id, actor.type, limit],
  );
}

/** Removes the content and leaves the tombstone. */
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

/** Only its author sees a draft. */
export const VISIBLE = `(packages.status <> 'draft' or (packages.author_id = ? and packages.author_type = ?))`;

export function isVisibleTo(stored: StoredPackage, actor: Actor): boolean {
  return stored.status !== 'draft' || (stored.author.id === actor.id && stored.author.type === actor.type);
}

/** Packages that search knows, in the order of their keys: all but drafts and what was redacted. */
export function selectSearchable(
  reader: Reader,
  after: readonly [projectId: string, packageId: string] | undefined,
  limit: number,
): Promise<
  {
    readonly project_id: string;
    readonly package_id: string;
    readonly original: string;
    readonly created_us: number;
  }[]
> {
  return reader.all(
    `select project_id, package_id, original, created_us from packages
     where status <> 'draft' and quarantined = 0 and original is not null ${after ? 'and (project_id, package_id) > (?, ?)' : ''}
     order by project_id, package_id limit ?`,
    [...(after ?? []), limit],
  );
}

/** The author's newest package of a session that was not made by itself. */
export async function selectOwnOf(
  reader: Reader,
  session: { readonly projectId: string; readonly sessionId: string; readonly authorId: string },
): Promise<{ readonly packageId: string; readonly depositedMicros: number } | undefined> {
  const row = await reader.get<{ package_id: string; deposited_us: number }>(
    `select package_id, deposited_us from packages
     where session_id = ? and project_id = ? and author_id = ? and package_type <> 'auto_deposit'
     order by seq desc limit 1`,
    [session.sessionId, session.projectId, session.authorId],
  );
  return row && { packageId: row.package_id, depositedMicros: row.deposited_us };
}
