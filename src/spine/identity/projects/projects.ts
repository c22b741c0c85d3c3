import type { Clock } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Reader, UnitOfWork } from '../../storage/database.ts';
import { requireProject } from '../access.ts';
import { identityErrors } from '../errors.ts';
import type { RecordEvent } from '../ledger.ts';
import type { Actor, Principal } from '../principal.ts';
import { isProjectId, type NewProject, type Project, type ProjectChanges } from './project.ts';
import {
  insertProject,
  type ProjectFilter,
  requireStoredProject,
  selectProject,
  selectProjects,
  setArchived,
  updateProject,
} from './project-store.ts';

export interface Projects {
  /** The project, created if it is missing. */
  ensureProject(
    uow: UnitOfWork,
    project: NewProject,
    by: Actor,
  ): Promise<{ readonly project: Project; readonly created: boolean }>;
  /** 404 if it does not exist or the credential cannot see it, so that the two look the same. */
  getProject(reader: Reader, principal: Principal, projectId: string): Promise<Project>;
  listProjects(
    reader: Reader,
    principal: Principal,
    page: Omit<ProjectFilter, 'visible'>,
  ): Promise<readonly Project[]>;
  changeProject(uow: UnitOfWork, projectId: string, changes: ProjectChanges, by: Actor): Promise<Project>;
  /** Reversible and repeatable: archiving what is archived changes nothing. */
  archiveProject(uow: UnitOfWork, projectId: string, by: Actor): Promise<Project>;
  restoreProject(uow: UnitOfWork, projectId: string, by: Actor): Promise<Project>;
}

export function createProjects(clock: Clock, record: RecordEvent): Projects {
  async function setArchival(
    uow: UnitOfWork,
    projectId: string,
    archive: boolean,
    by: Actor,
  ): Promise<Project> {
    await requireStoredProject(uow, projectId);
    const micros = clock.now();
    const archived = archive ? { at: formatMicros(micros), micros } : undefined;
    if (await setArchived(uow, projectId, archived)) {
      await record(uow, {
        projectId,
        actor: by,
        type: archive ? 'project.archived' : 'project.restored',
        payload: { project_id: projectId },
      });
    }
    return requireStoredProject(uow, projectId);
  }

  return {
    async ensureProject(uow, wanted, by) {
      const existing = await selectProject(uow, wanted.projectId);
      if (existing) return { project: existing, created: false };
      if (!isProjectId(wanted.projectId)) throw identityErrors.invalid_project_id({ pointer: '/project_id' });
      const now = clock.now();
      const project: Project = {
        projectId: wanted.projectId,
        name: wanted.name ?? wanted.projectId,
        description: wanted.description ?? null,
        createdAt: wanted.createdAt?.text ?? formatMicros(now),
        createdMicros: wanted.createdAt?.micros ?? now,
        archivedAt: null,
        settings: wanted.settings ?? '{}',
        extra: wanted.extra ?? '{}',
      };
      if (!(await insertProject(uow, project))) {
        return { project: await requireStoredProject(uow, wanted.projectId), created: false };
      }
      await record(uow, {
        projectId: project.projectId,
        actor: by,
        type: 'project.created',
        payload: { project_id: project.projectId },
      });
      return { project, created: true };
    },

    async getProject(reader, principal, projectId) {
      requireProject(principal, projectId);
      return requireStoredProject(reader, projectId);
    },

    listProjects: (reader, principal, page) =>
      selectProjects(reader, { ...page, visible: principal.projects }),

    async changeProject(uow, projectId, changes, by) {
      const project = await requireStoredProject(uow, projectId);
      const changed: Project = {
        ...project,
        name: changes.name ?? project.name,
        description: changes.description === undefined ? project.description : changes.description,
        settings: changes.settings ?? project.settings,
        extra: changes.extra ?? project.extra,
      };
      const fields = (['name', 'description', 'settings', 'extra'] as const).filter(
        (field) => changed[field] !== project[field],
      );
      if (fields.length === 0) return project;
      await updateProject(uow, changed);
      await record(uow, {
        projectId,
        actor: by,
        type: 'project.changed',
        payload: { project_id: projectId, fields },
      });
      return changed;
    },

    archiveProject: (uow, projectId, by) => setArchival(uow, projectId, true, by),
    restoreProject: (uow, projectId, by) => setArchival(uow, projectId, false, by),
  };
}
