import type { Reader } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import { compilePolicies, type PolicySet } from '../policies/rules/compile.ts';
import type { Atlas } from './rules/atlas.ts';
import { type AtlasLoad, selectActiveLoads, selectContent } from './store.ts';

export interface LoadedSet {
  readonly loads: readonly AtlasLoad[];
  readonly set: PolicySet;
  /** Changes whenever an Atlas of the set does. */
  readonly key: string;
}

export interface AtlasSets {
  /** Without ids, everything that the project has loaded. Throws `atlas_not_found` for an id that is not. */
  load(reader: Reader, projectId: string, atlasIds: readonly string[] | undefined): Promise<LoadedSet>;
  /** The Atlas of a digest; undefined where the store never had it. */
  find(reader: Reader, digest: string): Promise<Atlas | undefined>;
  /** The same for a digest that the store itself names. */
  content(reader: Reader, digest: string): Promise<Atlas>;
}

const KEPT_SETS = 64;
const KEPT_ATLASES = 256;

/** Reads anew each time what is loaded; caches only by digest, since that content never changes. */
export function createAtlasSets(): AtlasSets {
  const atlases = new Map<string, Atlas>();
  const sets = new Map<string, PolicySet>();

  async function find(reader: Reader, digest: string): Promise<Atlas | undefined> {
    const known = atlases.get(digest);
    if (known) return known;
    const read = await selectContent(reader, digest);
    if (read) keep(atlases, digest, read, KEPT_ATLASES);
    return read;
  }

  async function content(reader: Reader, digest: string): Promise<Atlas> {
    const atlas = await find(reader, digest);
    if (!atlas) throw new Error(`the content of Atlas ${digest} is missing`);
    return atlas;
  }

  return {
    find,
    content,
    async load(reader, projectId, atlasIds) {
      const active = await selectActiveLoads(reader, projectId);
      for (const [at, id] of (atlasIds ?? []).entries()) {
        if (active.some(({ atlasId }) => atlasId === id)) continue;
        throw governanceErrors.atlas_not_found({
          message: `No Atlas ${id} is loaded.`,
          pointer: `/atlas_ids/${at}`,
          details: { atlas_id: id },
        });
      }
      const loads = atlasIds ? active.filter(({ atlasId }) => atlasIds.includes(atlasId)) : active;
      const key = loads.map(({ digest, mode }) => `${digest} ${mode}`).join('\n');
      let set = sets.get(key);
      if (!set) {
        const loaded = [];
        for (const { digest, mode } of loads) loaded.push({ atlas: await content(reader, digest), mode });
        set = compilePolicies(loaded);
        keep(sets, key, set, KEPT_SETS);
      }
      return { loads, set, key };
    },
  };
}

function keep<T>(map: Map<string, T>, key: string, value: T, limit: number): void {
  if (map.size >= limit) {
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(key, value);
}
