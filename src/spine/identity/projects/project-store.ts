import type { Reader, SqlValue, UnitOfWork } from '../../storage/database.ts';
import { identityErrors } from '../errors.ts';
import type { Project } from './project.ts';

interface ProjectRow {
  readonly project_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly created_at: string;
  readonly created_us: number;
  readonly archived_at: string | null;
  readonly settings: string;
  readonly extra: string;
}

const COLUMNS = 'project_id, name, description, created_at, created_us, archived_at, settings, extra';

function projectOf(row: ProjectRow): Project {
  return {
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    createdAt: row.created_at,
    createdMicros: row.created_us,
    archivedAt: row.archived_at,
    settings: row.settings,
    extra: row.extra,
  };
}

export async function selectProject(reader: Reader, projectId: string): Promise<Project | undefined> {
  const row = await reader.get<ProjectRow>(`select ${COLUMNS} from projects where project_id = ?`, [
    projectId,
  ]);
  return row && projectOf(row);
}

export async function requireStoredProject(reader: Reader, projectId: string): Promise<Project> {
  const project = await selectProject(reader, projectId);
  if (!project) throw identityErrors.project_not_found();
  return project;
}

export async function requireActiveProject(reader: Reader, projectId: string): Promise<Project> {
  const project = await requireStoredProject(reader, projectId);
  if (project.archivedAt !== null) throw identityErrors.project_archived();
  return project;
}

/** Returns false if a project with this id already exists. */
export async function insertProject(uow: UnitOfWork, project: Project): Promise<boolean> {
  const inserted = await uow.run(
    `insert into projects (project_id, name, description, created_at, created_us, settings, extra)
     values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    [
      project.projectId,
      project.name,
      project.description,
      project.createdAt,
      project.createdMicros,
      project.settings,
      project.extra,
    ],
  );
  return inserted === 1;
}

export async function updateProject(uow: UnitOfWork, project: Project): Promise<void> {
  await uow.run(
    'update projects set name = ?, description = ?, settings = ?, extra = ? where project_id = ?',
    [project.name, project.description, project.settings, project.extra, project.projectId],
  );
}

/** Returns false if nothing had to change. */
export async function setArchived(
  uow: UnitOfWork,
  projectId: string,
  archived: { readonly at: string; readonly micros: number } | undefined,
): Promise<boolean> {
  const changed = await uow.run(
    `update projects set archived_at = ?, archived_us = ?
     where project_id = ? and archived_at is ${archived ? '' : 'not '}null`,
    [archived?.at ?? null, archived?.micros ?? null, projectId],
  );
  return changed === 1;
}

export interface ProjectFilter {
  readonly visible: 'all' | readonly string[];
  readonly archived: boolean;
  readonly limit: number;
  /** The last project of the page before. */
  readonly after?: { readonly createdMicros: number; readonly projectId: string } | undefined;
}

/** Oldest first. */
export async function selectProjects(reader: Reader, filter: ProjectFilter): Promise<Project[]> {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  if (filter.visible !== 'all') {
    if (filter.visible.length === 0) return [];
    conditions.push(`project_id in (${filter.visible.map(() => '?').join(', ')})`);
    params.push(...filter.visible);
  }
  if (!filter.archived) conditions.push('archived_at is null');
  if (filter.after) {
    conditions.push('(created_us, project_id) > (?, ?)');
    params.push(filter.after.createdMicros, filter.after.projectId);
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const rows = await reader.all<ProjectRow>(
    `select ${COLUMNS} from projects ${where} order by created_us, project_id limit ?`,
    [...params, filter.limit],
  );
  return rows.map(projectOf);
}
