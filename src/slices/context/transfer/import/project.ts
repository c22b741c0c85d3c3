import { requireProject } from '../../../../spine/identity/access.ts';
import type { Principal } from '../../../../spine/identity/principal.ts';
import { setArchived } from '../../../../spine/identity/projects/project-store.ts';
import type { UnitOfWork } from '../../../../spine/storage/database.ts';
import type { ContextDeps } from '../../ports.ts';
import { projectLine } from '../schema.ts';
import { microsOf, parsed } from './line.ts';

export type ImportProject = (
  uow: UnitOfWork,
  line: string,
  principal: Principal,
  /** Whether what the line says takes the place of what is set here. */
  mirror: boolean,
) => Promise<boolean>;

export function projectImport({ identity, record }: Pick<ContextDeps, 'identity' | 'record'>): ImportProject {
  async function archive(
    uow: UnitOfWork,
    projectId: string,
    at: string,
    { actor }: Principal,
  ): Promise<void> {
    await setArchived(uow, projectId, { at, micros: microsOf(at) });
    const payload = { project_id: projectId };
    await record(uow, { projectId, by: actor, type: 'project.archived', payload });
  }

  return async (uow, line, principal, mirror) => {
    const { project_id, id, name, description, settings, created_at, archived_at, ...extra } = parsed(
      projectLine,
      line,
    );
    const projectId = project_id ?? id ?? '';
    requireProject(principal, projectId);
    const said = {
      name,
      description: description ?? null,
      settings: JSON.stringify(settings ?? {}),
      extra: JSON.stringify(extra),
    };
    const at = created_at && { text: created_at, micros: microsOf(created_at) };
    const wanted = { projectId, ...said, ...(at && { createdAt: at }) };
    const { project, created } = await identity.ensureProject(uow, wanted, principal.actor);
    if (!created && !mirror) return false;
    const changed = await identity.changeProject(uow, projectId, said, principal.actor);
    if (project.archivedAt === (archived_at ?? null)) return created || changed !== project;
    if (project.archivedAt !== null) await identity.restoreProject(uow, projectId, principal.actor);
    if (archived_at) await archive(uow, projectId, archived_at, principal);
    return true;
  };
}
