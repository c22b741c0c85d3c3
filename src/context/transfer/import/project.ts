import { requireProject } from '../../../identity/access.ts';
import { setArchived } from '../../../identity/projects/project-store.ts';
import type { ContextParts } from '../../context.ts';
import { type ImportLine, microsOf, parsed } from './line.ts';
import { projectLine } from './lines.ts';

export function projectImport({ identity }: Pick<ContextParts, 'identity'>): ImportLine {
  return async (uow, line, principal) => {
    const { project_id, id, name, description, settings, created_at, archived_at, ...extra } = parsed(
      projectLine,
      line,
    );
    const projectId = String(project_id ?? id ?? '');
    requireProject(principal, projectId);
    const { created } = await identity.ensureProject(
      uow,
      {
        projectId,
        name,
        description: description ?? null,
        settings: JSON.stringify(settings ?? {}),
        extra: JSON.stringify(extra),
        ...(created_at && { createdAt: { text: created_at, micros: microsOf(created_at) } }),
      },
      principal.actor,
    );
    if (created && archived_at)
      await setArchived(uow, projectId, { at: archived_at, micros: microsOf(archived_at) });
    return created;
  };
}
