import { type Approvals, createApprovals } from './approvals/ask.ts';
import { type Atlases, createAtlases } from './atlases/load.ts';
import { type AtlasSets, createAtlasSets } from './atlases/sets.ts';
import { recoverExecutions } from './execution/execute.ts';
import type { GovernanceDeps } from './ports.ts';
import type { ResolveParts } from './resolution/resolve.ts';
import { limitsOf } from './settings.ts';
import { createTraces, type Traces } from './traces/read.ts';

/** The parts of this slice that work on the store, made once. */
export interface Governance extends ResolveParts {
  readonly sets: AtlasSets;
  readonly approvals: Approvals;
  readonly atlases: Atlases;
  readonly traces: Traces;
  /** Closes executions that a process which died left running; to be called at start and now and then. */
  recover(): Promise<number>;
}

export function createGovernance(deps: GovernanceDeps): Governance {
  const limits = limitsOf(deps.settings);
  const sets = createAtlasSets();
  const approvals = createApprovals(deps, limits);
  const parts: ResolveParts = { deps, limits, sets, approvals };
  return {
    ...parts,
    atlases: createAtlases(deps, sets),
    traces: createTraces(deps, sets),
    recover: () => recoverExecutions(parts),
  };
}
