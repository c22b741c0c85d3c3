import type { Actor } from '../../../spine/identity/principal.ts';
import { selectIdsByCallsign } from '../../../spine/identity/sessions/session-store.ts';
import { countUpTo, type Total } from '../../../spine/storage/bounded-count.ts';
import type { Reader, SqlValue } from '../../../spine/storage/database.ts';
import type { Place } from '../paging.ts';
import { PACKAGE_COLUMNS, type PackageRow, packageOf, VISIBLE } from './store.ts';
import type { PlacedPackage, ReviewType, Status, StoredPackage } from './stored-package.ts';

export interface PackageFilter {
  readonly projectId: string;
  readonly seenBy: Actor;
  readonly limit: number;
  readonly before?: Place | undefined;
  readonly status?: Status | undefined;
  readonly reviewType?: ReviewType | undefined;
  readonly packageType?: string | undefined;
  readonly author?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Of every session that has had it: callsigns are used again. */
  readonly callsign?: string | undefined;
  readonly sinceMicros?: number | undefined;
  readonly untilMicros?: number | undefined;
  readonly minSignificance?: number | undefined;
  readonly handoff?: boolean | undefined;
  readonly drafts?: boolean | undefined;
}

/** Newest first by instant, then by arrival; without redacted packages and those that do not match their hash. */
export async function selectLatest(reader: Reader, filter: PackageFilter): Promise<PlacedPackage[]> {
  const where = ['packages.project_id = ?', 'quarantined = 0', 'tombstone is null', VISIBLE];
  const params: SqlValue[] = [filter.projectId, filter.seenBy.id, filter.seenBy.type];
  const add = (condition: string, ...values: SqlValue[]) => {
    where.push(condition);
    params.push(...values);
  };
  if (filter.before) add('(created_us, seq) < (?, ?)', filter.before.micros, filter.before.seq);
  if (filter.status !== undefined) add('status = ?', filter.status);
  if (filter.drafts === false) add(`status <> 'draft'`);
  if (filter.reviewType !== undefined) add('review_type = ?', filter.reviewType);
  if (filter.packageType !== undefined) add('package_type = ?', filter.packageType);
  if (filter.author !== undefined) add('author_id = ?', filter.author);
  if (filter.sessionId !== undefined) add('session_id = ?', filter.sessionId);
  if (filter.sinceMicros !== undefined) add('created_us >= ?', filter.sinceMicros);
  if (filter.untilMicros !== undefined) add('created_us < ?', filter.untilMicros);
  if (filter.minSignificance !== undefined) add('significance >= ?', filter.minSignificance);
  if (filter.handoff) add('handoff = 1');
  if (filter.callsign !== undefined) {
    const own = await selectIdsByCallsign(reader, filter.projectId, filter.callsign);
    add(
      `(session_id in (select session_id from foreign_sessions where project_id = ? and callsign = ?)
         ${own.length > 0 ? `or session_id in (${own.map(() => '?').join(', ')})` : ''})`,
      filter.projectId,
      filter.callsign,
      ...own,
    );
  }
  const rows = await reader.all<PackageRow>(
    `select ${PACKAGE_COLUMNS} from packages where ${where.join(' and ')}
     order by created_us desc, seq desc limit ?`,
    [...params, filter.limit],
  );
  return rows.map(packageOf);
}

/** As many as `selectLatest` would list without a filter. */
export function countVisible(reader: Reader, projectId: string, seenBy: Actor): Promise<Total> {
  return countUpTo(
    reader,
    `select 1 from packages where project_id = ? and quarantined = 0 and tombstone is null and ${VISIBLE}`,
    [projectId, seenBy.id, seenBy.type],
  );
}

/** Those that `seenBy` may see, in the order of the ids. */
export async function selectVisible(
  reader: Reader,
  projectId: string,
  packageIds: readonly string[],
  seenBy: Actor,
): Promise<StoredPackage[]> {
  if (packageIds.length === 0) return [];
  const rows = await reader.all<PackageRow>(
    `select ${PACKAGE_COLUMNS} from packages
     where project_id = ? and package_id in (${packageIds.map(() => '?').join(', ')})
       and quarantined = 0 and tombstone is null and ${VISIBLE}`,
    [projectId, ...packageIds, seenBy.id, seenBy.type],
  );
  const byId = new Map(rows.map((row) => [row.package_id, packageOf(row)]));
  return packageIds.flatMap((id) => byId.get(id) ?? []);
}

export async function selectDepositedIn(reader: Reader, sessionId: string): Promise<string[]> {
  const rows = await reader.all<{ package_id: string }>(
    'select package_id from packages where session_id = ? order by seq',
    [sessionId],
  );
  return rows.map((row) => row.package_id);
}
