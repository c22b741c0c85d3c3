import type { Actor } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

/** A governed repository that belongs to a project of this server. */
export interface AttachedRepository {
  readonly repositoryId: string;
  readonly projectId: string;
  readonly root: string;
  readonly attachedAt: string;
  readonly attachedBy: Actor;
  /** Rows of its event log that this server has recorded. */
  readonly eventsSeen: number;
}

interface Row {
  readonly repository_id: string;
  readonly project_id: string;
  readonly root: string;
  readonly attached_at: string;
  readonly attached_by: string;
  readonly attached_by_type: Actor['type'];
  readonly events_seen: number;
}

const COLUMNS = 'repository_id, project_id, root, attached_at, attached_by, attached_by_type, events_seen';

export async function insertRepository(
  uow: UnitOfWork,
  repository: Omit<AttachedRepository, 'eventsSeen'>,
  micros: number,
): Promise<void> {
  await uow.run(
    `insert into delivery_repositories (repository_id, project_id, root, attached_at, attached_us, attached_by, attached_by_type)
     values (?, ?, ?, ?, ?, ?, ?)`,
    [
      repository.repositoryId,
      repository.projectId,
      repository.root,
      repository.attachedAt,
      micros,
      repository.attachedBy.id,
      repository.attachedBy.type,
    ],
  );
}

export async function selectRepository(reader: Reader, id: string): Promise<AttachedRepository | undefined> {
  const row = await reader.get<Row>(`select ${COLUMNS} from delivery_repositories where repository_id = ?`, [
    id,
  ]);
  return row && repositoryOf(row);
}

export async function selectByRoot(reader: Reader, root: string): Promise<AttachedRepository | undefined> {
  const row = await reader.get<Row>(`select ${COLUMNS} from delivery_repositories where root = ?`, [root]);
  return row && repositoryOf(row);
}

export async function selectRepositories(
  reader: Reader,
  projects: 'all' | readonly string[],
): Promise<AttachedRepository[]> {
  const rows = await reader.all<Row>(
    `select ${COLUMNS} from delivery_repositories order by attached_us, repository_id`,
  );
  return rows.map(repositoryOf).filter(({ projectId }) => projects === 'all' || projects.includes(projectId));
}

/** False if this event has already been recorded. */
export async function claimEvent(
  uow: UnitOfWork,
  repositoryId: string,
  { eventId, digest }: { readonly eventId: string; readonly digest: string },
): Promise<boolean> {
  const known = await uow.get(
    'select 1 as one from delivery_events where repository_id = ? and event_id = ?',
    [repositoryId, eventId],
  );
  if (known !== undefined) return false;
  await uow.run('insert into delivery_events (repository_id, event_id, digest) values (?, ?, ?)', [
    repositoryId,
    eventId,
    digest,
  ]);
  return true;
}

/** By event id, the digest of what was recorded; null for events from before digests were kept. */
export async function selectRecorded(
  reader: Reader,
  repositoryId: string,
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await reader.all<{ readonly event_id: string; readonly digest: string | null }>(
    'select event_id, digest from delivery_events where repository_id = ?',
    [repositoryId],
  );
  return new Map(rows.map(({ event_id, digest }) => [event_id, digest]));
}

export async function moveCursor(uow: UnitOfWork, repositoryId: string, eventsSeen: number): Promise<void> {
  await uow.run(
    'update delivery_repositories set events_seen = ? where repository_id = ? and events_seen < ?',
    [eventsSeen, repositoryId, eventsSeen],
  );
}

function repositoryOf(row: Row): AttachedRepository {
  return {
    repositoryId: row.repository_id,
    projectId: row.project_id,
    root: row.root,
    attachedAt: row.attached_at,
    attachedBy: { id: row.attached_by, type: row.attached_by_type },
    eventsSeen: row.events_seen,
  };
}
