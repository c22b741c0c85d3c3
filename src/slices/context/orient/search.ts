import type { Micros } from '../../../kernel/clock.ts';
import { byline, named } from '../../../kernel/quoted.ts';
import { requireScope } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Project } from '../../../spine/identity/projects/project.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import type { SearchHit } from '../../../spine/search/request.ts';
import type { PackedPassage } from '../../../spine/search/rules/pack.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import { selectHolding } from '../facts/store.ts';
import { FACTS } from '../facts/stored-fact.ts';
import { selectVisible } from '../packages/list-store.ts';
import { PACKAGES, type PackageHead } from '../packages/stored-package.ts';
import type { ContextDeps } from '../ports.ts';
import { moment } from '../schema.ts';
import type { SearchQuery } from './schema.ts';

const MOST_PROJECTS = 200;
/** What agents said to each other, put into the index by the relay. */
const SPANS = 'span';

export interface VisibleHit {
  readonly hit: SearchHit;
  /** Undefined for a fact or a span. */
  readonly stored: PackageHead | undefined;
}

type SearchDeps = Pick<ContextDeps, 'db' | 'identity' | 'search' | 'clock'>;

/** Packages, facts and spans that the caller may see, best first. */
export async function searchVisible(
  deps: SearchDeps,
  principal: Principal,
  { query, project, collections: named, limit = 10, as_of }: SearchQuery,
): Promise<VisibleHit[]> {
  const { db, search } = deps;
  if (named?.includes(SPANS)) requireScope(principal, 'trace:read');
  const readable = grantsScope(principal.scopes, 'trace:read') ? [PACKAGES, FACTS, SPANS] : [PACKAGES, FACTS];
  const collections = named ?? readable;
  const projects = await db.read((reader) => projectsFor(reader, deps, principal, project));
  const asOf = moment(as_of);
  const hits = await search.searchIn(db, {
    projectIds: projects.map(({ projectId }) => projectId),
    collections,
    query,
    limit,
    ...(asOf !== undefined && { asOf }),
  });
  return db.read((reader) => visibleHits(reader, hits, principal, asOf ?? deps.clock.now()));
}

/** As it is told in a prompt. */
export function passageOf({ hit, stored }: VisibleHit): PackedPassage {
  const { collection, id, best, time } = hit;
  const by = stored ? ` by ${byline(stored.author)}` : '';
  const inside = best.field === 'title' || stored === undefined ? '' : `, ${best.field.replaceAll('_', ' ')}`;
  return {
    source: `${collection} ${named(id)}${by}${inside}`,
    title: stored?.title,
    text: best.passage,
    time: stored?.createdMicros ?? time,
  };
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
  at: Micros,
): Promise<VisibleHit[]> {
  const shown = new Map<string, PackageHead>();
  const held = new Set<string>();
  for (const projectId of new Set(hits.map((hit) => hit.projectId))) {
    const packageIds = hits
      .filter((hit) => hit.projectId === projectId && hit.collection === PACKAGES)
      .map((hit) => hit.id);
    for (const stored of await selectVisible(reader, projectId, packageIds, principal.actor)) {
      shown.set(JSON.stringify([projectId, stored.packageId]), stored);
    }
    const facts = hits.filter((hit) => hit.projectId === projectId && hit.collection === FACTS);
    const ids = facts.map((hit) => hit.id);
    for (const id of await selectHolding(reader, projectId, ids, at))
      held.add(JSON.stringify([projectId, id]));
  }
  return hits.flatMap((hit) => {
    const key = JSON.stringify([hit.projectId, hit.id]);
    const stored = shown.get(key);
    // The index knows facts that are scheduled, too.
    const visible =
      hit.collection === PACKAGES ? stored !== undefined : hit.collection !== FACTS || held.has(key);
    return visible ? [{ hit, stored }] : [];
  });
}
