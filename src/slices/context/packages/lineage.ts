import { canSeeProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import {
  isHead,
  type PackageKey,
  selectBacklinks,
  selectChildren,
  selectHeads,
  selectParents,
  selectRefs,
} from './link-store.ts';
import { selectHead, selectPackage } from './store.ts';
import type { PackageHead, StoredPackage } from './stored-package.ts';

interface LineageNode {
  readonly package_id: string;
  /** `missing` if it is named but has not arrived, `redacted` if only its tombstone is left. */
  readonly state: 'present' | 'missing' | 'redacted';
  readonly title?: string;
  readonly status?: string;
  readonly created_at?: string;
  readonly content_hash?: string;
  readonly parents: readonly string[];
}

const MOST_NODES = 500;

/** What a package was built on, and what was built on it. */
export async function lineageOf(reader: Reader, stored: StoredPackage) {
  const descendants = await descendantsOf(reader, stored);
  return {
    package: node(stored, await selectParents(reader, stored)),
    ancestors: await ancestorsOf(reader, stored),
    descendants: descendants.map((found) => node(found.stored, found.parents)),
    head: await isHead(reader, stored),
  };
}

/** The heads of a project, or only those that descend from `start`, itself included. */
export async function headsOf(
  reader: Reader,
  projectId: string,
  start: PackageHead | undefined,
  limit: number,
): Promise<PackageHead[]> {
  if (!start) return selectHeads(reader, projectId, limit);
  const line = [start, ...(await descendantsOf(reader, start)).map(({ stored }) => stored)];
  const heads: PackageHead[] = [];
  for (const stored of line) if (await isHead(reader, stored)) heads.push(stored);
  return heads.slice(0, limit);
}

/** The packages that this one refers to in other projects, and those that refer to it. */
export async function referencesOf(reader: Reader, principal: Principal, stored: StoredPackage) {
  const refs: Record<string, unknown>[] = [];
  for (const ref of await selectRefs(reader, stored)) {
    const target = canSeeProject(principal, ref.targetProject)
      ? await selectPackage(reader, ref.targetProject, ref.targetId)
      : undefined;
    // Forbidden and missing look the same.
    const shown = target && target.status !== 'draft' && target.tombstone === null;
    refs.push({
      rel: ref.rel,
      project_id: ref.targetProject,
      package_id: ref.targetId,
      state: shown ? 'available' : 'unavailable',
      ...(shown && { title: target.title, content_hash: target.contentHash }),
      ...(shown && ref.targetHash !== null && { pinned: ref.targetHash === target.contentHash }),
    });
  }
  return { refs, backlinks: await selectBacklinks(reader, stored, principal.projects) };
}

/** Everything above a package, nearest first. Imports can contain cycles, so each is visited once. */
async function ancestorsOf(reader: Reader, key: PackageKey): Promise<LineageNode[]> {
  const nodes: LineageNode[] = [];
  const seen = new Set([key.packageId]);
  let level = await selectParents(reader, key);
  while (level.length > 0 && nodes.length < MOST_NODES) {
    const next: string[] = [];
    for (const packageId of level) {
      if (seen.has(packageId)) continue;
      seen.add(packageId);
      const at = { projectId: key.projectId, packageId };
      const parents = await selectParents(reader, at);
      const stored = await selectHead(reader, key.projectId, packageId);
      nodes.push(stored && stored.status !== 'draft' ? node(stored, parents) : missing(packageId));
      next.push(...parents);
    }
    level = next;
  }
  return nodes;
}

/** Everything below it, nearest first. */
async function descendantsOf(
  reader: Reader,
  key: PackageKey,
): Promise<{ readonly stored: PackageHead; readonly parents: readonly string[] }[]> {
  const found: { stored: PackageHead; parents: string[] }[] = [];
  const seen = new Set([key.packageId]);
  let level = [key.packageId];
  while (level.length > 0 && found.length < MOST_NODES) {
    const next: string[] = [];
    for (const packageId of level) {
      const children = await selectChildren(reader, { projectId: key.projectId, packageId }, MOST_NODES);
      for (const stored of children) {
        if (seen.has(stored.packageId)) continue;
        seen.add(stored.packageId);
        found.push({ stored, parents: await selectParents(reader, stored) });
        next.push(stored.packageId);
      }
    }
    level = next;
  }
  return found;
}

function node(stored: StoredPackage | PackageHead, parents: readonly string[]): LineageNode {
  return {
    package_id: stored.packageId,
    state: stored.tombstone === null ? 'present' : 'redacted',
    ...(stored.tombstone === null && { title: stored.title }),
    status: stored.status,
    created_at: stored.createdAt,
    content_hash: stored.contentHash,
    parents,
  };
}

function missing(packageId: string): LineageNode {
  return { package_id: packageId, state: 'missing', parents: [] };
}
