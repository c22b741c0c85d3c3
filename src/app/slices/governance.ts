import { heldFact } from '../../slices/context/facts/held.ts';
import { httpExecutor } from '../../slices/governance/execution/executors.ts';
import { governanceMigrations } from '../../slices/governance/migrations.ts';
import { governanceOperations } from '../../slices/governance/operations.ts';
import {
  createGovernance,
  createGovernanceHandlers,
  type Governance,
} from '../../slices/governance/slice.ts';
import { bind } from '../../spine/dispatch/registry.ts';
import { insider } from '../../spine/identity/on-behalf.ts';
import type { Slice } from '../slice.ts';
import type { Spine } from '../spine.ts';

const open = new WeakMap<Spine['db'], Governance>();

/** One for each open store: the inbox knows one effect for each kind of item. */
export function governanceOn(spine: Spine): Governance {
  const governance = open.get(spine.db) ?? createOn(spine);
  open.set(spine.db, governance);
  return governance;
}

function createOn(spine: Spine): Governance {
  const { allowedExecutorHosts: allowedHosts, lenientAtlases, strictVersions } = spine.settings;
  return createGovernance(spine, {
    http: (url) => httpExecutor(url, { allowedHosts }),
    facts: async (reader, projectId, keys, at) => {
      const held = [];
      for (const key of keys) {
        const fact = await heldFact(reader, spine.hasher, { ...key, projectId }, at);
        if (fact) held.push(fact);
      }
      return held;
    },
    settings: { lenientAtlases, strictVersions, ...(spine.redact && { redact: spine.redact }) },
  });
}

export const governanceSlice: Slice = {
  migrations: governanceMigrations,
  compose(spine) {
    const governance = governanceOn(spine);
    return {
      operations: bind(governanceOperations, createGovernanceHandlers(governance.deps)),
      upkeep: async () => {
        await governance.recover();
      },
      offers: {
        resolve: (by, question) =>
          spine.db.write((uow) => governance.checkPolicy(uow, insider(by), question)),
        resolveShared: (by, question) => governance.sharedChecks.check(insider(by), question),
        judgeCall: governance.judgeCall,
      },
    };
  },
};
