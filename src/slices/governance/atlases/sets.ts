import type { Reader } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import { compilePolicies, loadKey, type PolicySet } from '../policies/rules/compile.ts';
import type { Atlas } from './rules/atlas.ts';
import { type Narrowed, narrowed } from './rules/narrowed.ts';
import { type AtlasLoad, selectActiveLoads, selectContent } from './store.ts';

export type SetLoad = AtlasLoad & Narrowed;

/** One version of one Atlas, in the mode in which it is loaded. */
export type AtlasPin = Pick<AtlasLoad, 'atlasId' | 'digest' | 'mode'>;

export interface LoadedSet {
  /** In the order in which they were loaded. */
  readonly loads: readonly SetLoad[];
  readonly set: PolicySet;
  /** Changes whenever an Atlas of the set does. */
  readonly key: string;
}

export interface AtlasSets {
  /**
   * Without ids, everything that the project has loaded for whoever names none. Ids narrow what is offered, never what
   * restricts: guardrails of the project, and what the named Atlases depend on, come along with their rules. Throws
   * `atlas_not_found`.
   */
  load(reader: Reader, projectId: string, atlasIds: readonly string[] | undefined): Promise<LoadedSet>;
  /** The same of those that are still loaded, without a word about the others. */
  loadPresent(reader: Reader, projectId: string, atlasIds: readonly string[] | undefined): Promise<LoadedSet>;
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

  async function described(reader: Reader, active: readonly AtlasLoad[]) {
    const loads = [];
    for (const load of active) {
      const { manifest } = await content(reader, load.digest);
      loads.push({ ...load, dependencies: Object.keys(manifest.dependencies ?? {}) });
    }
    return loads;
  }

  async function setOf(
    reader: Reader,
    active: readonly AtlasLoad[],
    atlasIds: readonly string[] | undefined,
  ): Promise<LoadedSet> {
    const loads = atlasIds
      ? narrowed(await described(reader, active), new Set(atlasIds))
      : active.filter(({ byNameOnly }) => !byNameOnly).map((load) => ({ ...load, rulesOnly: false }));
    const key = loads.map(loadKey).join('\n');
    let set = sets.get(key);
    if (!set) {
      const loaded = [];
      for (const { digest, mode, rulesOnly, guardrail } of loads)
        loaded.push({ atlas: await content(reader, digest), mode, rulesOnly, guardrail });
      set = compilePolicies(loaded);
      keep(sets, key, set, KEPT_SETS);
    }
    return { loads, set, key };
  }

  return {
    find,
    content,
    loadPresent: async (reader, projectId, atlasIds) =>
      setOf(reader, await selectActiveLoads(reader, projectId), atlasIds),
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
      return setOf(reader, active, atlasIds);
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
