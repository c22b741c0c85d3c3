import { type ToolNames, toolNames } from '../atlases/rules/emit-tools.ts';
import type { Action } from '../atlases/schema.ts';
import type { AtlasPin } from '../atlases/sets.ts';
import type { CompiledAction, PolicySet } from '../policies/rules/compile.ts';
import type { GovernanceDeps } from '../ports.ts';
import { pinnedToolOf } from './gateway-atlas.ts';

/** One version of a gateway's Atlas, with what is looked up in it for every call. */
export class AtlasInForce {
  readonly pin: AtlasPin;
  readonly names: ToolNames;
  readonly #set: PolicySet;
  readonly #tools = new Map<string, Action>();

  constructor(pin: AtlasPin, set: PolicySet, deps: Pick<GovernanceDeps, 'hasher'>) {
    this.pin = pin;
    this.#set = set;
    this.names = toolNames(set.actionIds, deps.hasher);
    for (const actionId of set.actionIds) {
      const { action } = set.action(actionId) as CompiledAction;
      const pinned = pinnedToolOf(action);
      if (pinned) this.#tools.set(`${pinned.server}/${action.name}`, action);
    }
  }

  /** The action of a tool in exactly this form; undefined where nobody has accepted it. */
  actionOf(server: string, tool: string, digest: string): Action | undefined {
    const action = this.#tools.get(`${server}/${tool}`);
    return action && pinnedToolOf(action)?.digest === digest ? action : undefined;
  }

  action(actionId: string): CompiledAction | undefined {
    return this.#set.action(actionId);
  }
}

export interface PinnedAtlas {
  /** Undefined until somebody has loaded one. */
  readonly current: AtlasInForce | undefined;
  /** Pins what is loaded now. */
  repin(): Promise<AtlasInForce | undefined>;
  /** Calls whenever another version is pinned. Returns the stop. */
  onChange(listener: () => void): () => void;
  close(): void;
}

/** A change takes effect with the next call, since each is decided by the pin in its own unit; this is for the listing. */
const LOOK_MS = 250;

/** The one Atlas of a gateway. Follows what is loaded in the store, by this process or another. */
export function createPinnedAtlas(deps: GovernanceDeps, projectId: string, atlasId: string): PinnedAtlas {
  const listeners = new Set<() => void>();
  let current: AtlasInForce | undefined;
  let pinned: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const stop = deps.db.onCommit(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      // The store may be closing; whoever calls learns of it there.
      repin().catch(() => undefined);
    }, LOOK_MS);
  });

  async function repin(): Promise<AtlasInForce | undefined> {
    const { loads, set, key } = await deps.db.read((reader) =>
      deps.sets.loadPresent(reader, projectId, [atlasId]),
    );
    const load = loads.find(({ rulesOnly }) => !rulesOnly);
    // Guardrails of the project count too: what they take away is not listed.
    if (load ? pinned === key : !current) return current;
    pinned = key;
    current = load && new AtlasInForce({ atlasId, digest: load.digest, mode: load.mode }, set, deps);
    for (const listener of listeners) listener();
    return current;
  }

  return {
    get current() {
      return current;
    },
    repin,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      stop();
      clearTimeout(timer);
    },
  };
}
