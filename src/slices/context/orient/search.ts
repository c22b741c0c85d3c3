import type { Principal } from '../../../spine/identity/principal.ts';
import type { Project } from '../../../spine/identity/projects/project.ts';
import type { SearchHit } from '../../../spine/search/request.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import { FACTS } from '../facts/stored-fact.ts';
import { selectVisible } from '../packages/list-store.ts';
import { PACKAGES, type StoredPackage } from '../packages/stored-package.ts';
import type { ContextDeps } from '../ports.ts';
import { moment } from '../schema.ts';
import type { SearchQuery } from './schema.ts';

const MOST_PROJECTS = 200;

export interface VisibleHit {
  readonly hit: SearchHit;
  /** Undefined for a fact. */
  readonly stored: StoredPackage | undefined;
}

type SearchDeps = Pick<ContextDeps, 'db' | 'identity' | 'search'>;

/** Packages and facts that the caller may see, best first. */
export async function searchVisible(
  deps: SearchDeps,
  principal: Principal,
  { query, project, collections = [PACKAGES, FACTS], limit = 10, as_of }: SearchQuery,
): Promise<VisibleHit[]> {
  const { db, search } = deps;
  const projects = await db.read((reader) => projectsFor(reader, deps, principal, project));
  const asOf = moment(as_of);
  const hits = await search.searchIn(db, {
    projectIds: projects.map(({ projectId }) => projectId),
    collections,
    query,
    limit,
    ...(asOf !== undefined && { asOf }),
  });
  return db.read((reader) => visibleHits(reader, hits, principal));
}

/** The one project that is named, or all that the caller can see. */
export async function projectsFor(
  reader: Reader,
  { identity }: Pick<ContextDeps, 'identity'>,
  principal: Principal,
  projectId: string | undefined,
): Promise<readonly Project[]> {
  if (projectId !== undefined) return [await requireReadableProject(reader, principal, projectId)];
  return identity.listProjects(reader, principal, { archived: false, limit: MOST_PROJECTS });
}

/** In the order of the hits. */
export async function visibleHits(
  reader: Reader,
  hits: readonly SearchHit[],
  principal: Principal,
): Promise<VisibleHit[]> {
  const shown = new Map<string, StoredPackage>();
  for (const projectId of new Set(hits.map((hit) => hit.projectId))) {
    const ids = hits
      .filter((hit) => hit.projectId === projectId && hit.collection === PACKAGES)
      .map((hit) => hit.id);
    for (const stored of await selectVisible(reader, projectId, ids, principal.actor)) {
      shown.set(JSON.stringify([projectId, stored.packageId]), stored);
    }
  }
  return hits.flatMap((hit) => {
    const stored = shown.get(JSON.stringify([hit.projectId, hit.id]));
    return hit.collection === PACKAGES && !stored ? [] : [{ hit, stored }];
  });
}
