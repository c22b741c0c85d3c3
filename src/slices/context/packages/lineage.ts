import type { Reader } from '../../../spine/storage/database.ts';
import { type PackageKey, selectChildren, selectParents } from './link-store.ts';
import { selectPackage } from './store.ts';
import type { StoredPackage } from './stored-package.ts';

export interface LineageNode {
  readonly package_id: string;
  /** `missing` where it is named but has not arrived, `redacted` where only its tombstone is left. */
  readonly state: 'present' | 'missing' | 'redacted';
  readonly title?: string;
  readonly status?: string;
  readonly created_at?: string;
  readonly content_hash?: string;
  readonly parents: readonly string[];
}

const MOST_NODES = 500;

/** Everything above a package, nearest first. An import can bring in a circle: each is visited once. */
export async function ancestorsOf(reader: Reader, key: PackageKey): Promise<LineageNode[]> {
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
      const stored = await selectPackage(reader, key.projectId, packageId);
      nodes.push(stored && stored.status !== 'draft' ? node(stored, parents) : missing(packageId));
      next.push(...parents);
    }
    level = next;
  }
  return nodes;
}

/** Everything below it, nearest first. */
export async function descendantsOf(
  reader: Reader,
  key: PackageKey,
): Promise<{ readonly stored: StoredPackage; readonly parents: readonly string[] }[]> {
  const found: { stored: StoredPackage; parents: string[] }[] = [];
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

export function node(stored: StoredPackage, parents: readonly string[]): LineageNode {
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
