import { decodeBase64 } from '../../../../kernel/base64.ts';
import { requireProject } from '../../../../spine/identity/access.ts';
import type { Principal } from '../../../../spine/identity/principal.ts';
import { setArchived } from '../../../../spine/identity/projects/project-store.ts';
import type { UnitOfWork } from '../../../../spine/storage/database.ts';
import { putBlob } from '../../blobs/put.ts';
import type { ContextDeps } from '../../ports.ts';
import type { OpenReview } from '../../review/review.ts';
import { embeddingsImport } from '../embeddings.ts';
import { blobLine, type ImportBatch, type ImportCounts, projectLine } from '../schema.ts';
import { factImport } from './fact.ts';
import { type ImportLine, microsOf, parsed, refused, requireOwnProject } from './line.ts';
import { packageImport } from './package.ts';
import { sessionImport } from './session.ts';
import { tombstoneImport } from './tombstone.ts';

export type ImportAll = (uow: UnitOfWork, batch: ImportBatch, principal: Principal) => Promise<ImportCounts>;

/** Takes a batch whole or not at all: any inconsistency throws, and the unit is rolled back. */
export function createImport(deps: Omit<ContextDeps, 'db'>, openReview: OpenReview): ImportAll {
  const importProject = projectImport(deps);
  const importSession = sessionImport(deps);
  const importPackage = packageImport(deps, openReview);
  const importTombstone = tombstoneImport(deps);
  const importFact = factImport(deps);
  const importBlob = blobImport(deps);
  const importEmbeddings = embeddingsImport(deps);

  return async (uow, batch, principal) => {
    const counts: ImportCounts = {
      projects: 0,
      sessions: 0,
      packages: 0,
      reviews: 0,
      redacted: 0,
      facts: 0,
      blobs: 0,
      embeddings: 0,
      unchanged: 0,
      warnings: [],
    };
    const count = (kind: 'sessions' | 'packages' | 'facts' | 'blobs', fresh: boolean) => {
      counts[fresh ? kind : 'unchanged'] += 1;
    };
    for (const line of batch.projects ?? []) {
      if (await importProject(uow, line, principal, batch.mirror ?? false)) counts.projects += 1;
    }
    for (const line of batch.sessions ?? []) count('sessions', await importSession(uow, line, principal));
    for (const item of batch.packages ?? []) await importPackage(uow, item, principal, counts);
    for (const item of batch.tombstones ?? []) {
      const taken = await importTombstone(uow, item, principal);
      counts[taken === 'new' ? 'packages' : taken === 'redacted' ? 'redacted' : 'unchanged'] += 1;
    }
    for (const line of batch.facts ?? []) count('facts', await importFact(uow, line, principal));
    for (const line of batch.blobs ?? []) count('blobs', await importBlob(uow, line, principal));
    counts.embeddings += await importEmbeddings(uow, batch.embeddings ?? [], principal);
    return counts;
  };
}

function blobImport(deps: Pick<ContextDeps, 'clock' | 'hasher' | 'record'>): ImportLine {
  return async (uow, line, principal) => {
    const { project_id: projectId, sha256, media_type: mediaType, bytes_base64 } = parsed(blobLine, line);
    await requireOwnProject(uow, principal, projectId);
    const bytes = decodeBase64(bytes_base64);
    if (!bytes || deps.hasher.hex(bytes) !== sha256) {
      throw refused(`Blob ${sha256} does not match its hash.`, { sha256 });
    }
    return putBlob(uow, deps, { projectId, blob: { sha256, mediaType, bytes }, by: principal.actor });
  };
}

/** With `mirror`, the line's settings of a project replace those here. */
function projectImport({ identity, record }: Pick<ContextDeps, 'identity' | 'record'>) {
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

  return async (uow: UnitOfWork, line: string, principal: Principal, mirror: boolean): Promise<boolean> => {
    const { project_id, id, name, description, settings, created_at, archived_at, ...extra } = parsed(
      projectLine,
      line,
    );
    const projectId = project_id ?? id ?? '';
    requireProject(principal, projectId);
    const stated = {
      name,
      description: description ?? null,
      settings: JSON.stringify(settings ?? {}),
      extra: JSON.stringify(extra),
    };
    const at = created_at && { text: created_at, micros: microsOf(created_at) };
    const newProject = { projectId, ...stated, ...(at && { createdAt: at }) };
    const { project, created } = await identity.ensureProject(uow, newProject, principal.actor);
    if (!created && !mirror) return false;
    const changed = await identity.changeProject(uow, projectId, stated, principal.actor);
    if (project.archivedAt === (archived_at ?? null)) return created || changed !== project;
    if (project.archivedAt !== null) await identity.restoreProject(uow, projectId, principal.actor);
    if (archived_at) await archive(uow, projectId, archived_at, principal);
    return true;
  };
}
