import type { Actor } from '../../../spine/identity/principal.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { selectCallsignHolders } from '../../../spine/identity/sessions/session-store.ts';
import { countUpTo, type Total } from '../../../spine/storage/bounded-count.ts';
import type { Reader, SqlValue } from '../../../spine/storage/database.ts';
import { countLarger, fittingCount, fittingLimit } from '../../../spine/storage/fitting.ts';
import type { Place } from '../paging.ts';
import {
  HEAD_COLUMNS,
  headOf,
  PACKAGE_BYTES,
  PACKAGE_COLUMNS,
  type PackageRow,
  packageOf,
  selectPackage,
  VISIBLE,
} from './store.ts';
import type { PackageHead, PlacedPackage, ReviewType, Status, StoredPackage } from './stored-package.ts';

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
  /** In bytes; leaves out what is larger. */
  readonly largest?: number | undefined;
  /** False leaves out what was deposited by itself and has been followed up. */
  readonly outdated?: boolean | undefined;
}

export interface LatestPage {
  readonly packages: readonly PlacedPackage[];
  /** Whether more may follow. */
  readonly more: boolean;
  /** How many within the limit are too large. */
  readonly leftOut: number;
}

/**
 * Newest first by instant, then by arrival; without redacted packages and those that do not match their hash. Fewer than
 * the limit where they are large.
 */
export async function selectLatest(reader: Reader, filter: PackageFilter): Promise<LatestPage> {
  const where = ['packages.project_id = ?', 'quarantined = 0', 'tombstone is null', VISIBLE];
  const params: SqlValue[] = [filter.projectId, filter.seenBy.id, filter.seenBy.type];
  const add = (condition: string, ...values: SqlValue[]) => {
    where.push(condition);
    params.push(...values);
  };
  if (filter.before) add('(created_us, seq) < (?, ?)', filter.before.micros, filter.before.seq);
  if (filter.status !== undefined) add('status = ?', filter.status);
  if (filter.drafts === false) add(`status <> 'draft'`);
  if (filter.outdated === false) add(`(package_type <> 'auto_deposit' or superseded_by is null)`);
  if (filter.reviewType !== undefined) add('review_type = ?', filter.reviewType);
  if (filter.packageType !== undefined) add('package_type = ?', filter.packageType);
  if (filter.author !== undefined) add('author_id = ?', filter.author);
  if (filter.sessionId !== undefined) add('session_id = ?', filter.sessionId);
  if (filter.sinceMicros !== undefined) add('created_us >= ?', filter.sinceMicros);
  if (filter.untilMicros !== undefined) add('created_us < ?', filter.untilMicros);
  if (filter.minSignificance !== undefined) add('significance >= ?', filter.minSignificance);
  if (filter.handoff) add('handoff = 1');
  if (filter.callsign !== undefined) {
    const holders = await selectCallsignHolders(reader, filter.projectId, filter.callsign);
    add(
      `(session_id in (select session_id from foreign_sessions where project_id = ? and callsign = ?)
         ${holders.map(() => `or ${DEPOSITED_IN}`).join(' ')})`,
      filter.projectId,
      filter.callsign,
      ...holders.flatMap((holder) => depositedIn(holder.session_id, holder.actor_id, holder.agent_id)),
    );
  }
  const { limit, largest } = filter;
  const rest = () => `from packages where ${where.join(' and ')} order by created_us desc, seq desc limit ?`;
  const sizes = () => `select ${PACKAGE_BYTES} as bytes ${rest()}`;
  let larger = 0;
  if (largest !== undefined) {
    larger = await countLarger(reader, sizes(), params, limit, largest);
    add(`${PACKAGE_BYTES} <= ?`, largest);
  }
  const fitting = await fittingLimit(reader, sizes(), params, limit);
  const rows = await reader.all<PackageRow>(`select ${PACKAGE_COLUMNS} ${rest()}`, [
    ...params,
    fitting.limit,
  ]);
  return {
    packages: rows.map(packageOf),
    more: rows.length === fitting.limit,
    leftOut: larger + fitting.leftOut,
  };
}

/** As many as `selectLatest` would list without a filter. */
export function countVisible(reader: Reader, projectId: string, seenBy: Actor): Promise<Total> {
  return countUpTo(
    reader,
    `select 1 from packages where project_id = ? and quarantined = 0 and tombstone is null and ${VISIBLE}`,
    [projectId, seenBy.id, seenBy.type],
  );
}

/** Those that `seenBy` may see, in the order of the ids, without their texts. */
export async function selectVisible(
  reader: Reader,
  projectId: string,
  packageIds: readonly string[],
  seenBy: Actor,
): Promise<PackageHead[]> {
  if (packageIds.length === 0) return [];
  const rows = await reader.all<PackageRow & { bytes: number }>(
    `select ${HEAD_COLUMNS} from packages
     where project_id = ? and package_id in (${packageIds.map(() => '?').join(', ')})
       and quarantined = 0 and tombstone is null and ${VISIBLE}`,
    [projectId, ...packageIds, seenBy.id, seenBy.type],
  );
  const byId = new Map(rows.map((row) => [row.package_id, headOf(row)]));
  return packageIds.flatMap((id) => byId.get(id) ?? []);
}

/** The packages of these heads, with their texts; as many of the first as fit into one answer. */
export async function selectWhole(reader: Reader, heads: readonly PackageHead[]): Promise<StoredPackage[]> {
  const fitting = heads.slice(0, fittingCount(heads.map(({ bytes }) => bytes)));
  const found: StoredPackage[] = [];
  for (const { projectId, packageId } of fitting) {
    const stored = await selectPackage(reader, projectId, packageId);
    if (stored) found.push(stored);
  }
  return found;
}

/** By the session's own actor: anybody can write its id into a package. */
const DEPOSITED_IN = '(session_id = ? and (author_id in (?, ?) or depositor_id = ?))';

const depositedIn = (sessionId: string, actorId: string, agentId: string | null): SqlValue[] => [
  sessionId,
  actorId,
  agentId ?? actorId,
  actorId,
];

/** What the session's own actor deposited in it. */
export async function selectDepositedIn(
  reader: Reader,
  { sessionId, projectId, actor, agentId }: Session,
): Promise<string[]> {
  const rows = await reader.all<{ package_id: string }>(
    `select package_id from packages where project_id = ? and ${DEPOSITED_IN} order by seq`,
    [projectId, ...depositedIn(sessionId, actor.id, agentId)],
  );
  return rows.map((row) => row.package_id);
}

/** What was deposited in these sessions. */
export function selectIdsOfSessions(
  reader: Reader,
  projectId: string,
  sessionIds: readonly string[],
  limit: number,
): Promise<{ readonly package_id: string; readonly session_id: string }[]> {
  return reader.all(
    `select package_id, session_id from packages
     where project_id = ? and session_id in (${sessionIds.map(() => '?').join(', ')}) order by seq limit ?`,
    [projectId, ...sessionIds, limit],
  );
}
