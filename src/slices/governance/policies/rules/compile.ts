import { globMatcher } from '../../../../kernel/glob.ts';
import type { Atlas, AtlasMode } from '../../atlases/rules/atlas.ts';
import type { Action, Policy, PolicyType } from '../../atlases/schema.ts';
import { GlobIndex } from './glob-index.ts';
import { type PolicyRule, readPolicyRule } from './parameters.ts';
import { tierMask, tierRank } from './tiers.ts';
import { type CompiledWindow, compileWindow } from './time-window.ts';
import { type FactKey, sameKey } from './when/fact-key.ts';
import { factsOf } from './when/when.ts';

/** The order of section 5.5. A scope rule refuses, so it counts as a denial. */
export const PHASES = ['deny', 'approval', 'rate', 'budget', 'allow'] as const;
export type Phase = (typeof PHASES)[number];

const PHASE_OF: Readonly<Record<PolicyType, Phase>> = {
  deny: 'deny',
  scope: 'deny',
  require_approval: 'approval',
  rate_limit: 'rate',
  budget: 'budget',
  allow: 'allow',
};

export interface CompiledPolicy {
  readonly policyId: string;
  readonly atlasId: string;
  readonly atlasIndex: number;
  readonly phase: Phase;
  readonly type: PolicyType;
  readonly policy: Policy;
  readonly rule: PolicyRule;
  readonly tiers: number | undefined;
  readonly agents: ((agentId: string) => boolean) | undefined;
  readonly capabilities: ReadonlySet<string> | undefined;
  readonly context: readonly (readonly [string, string])[] | undefined;
  readonly window: CompiledWindow | undefined;
  /** Nothing left to check once the action fits. */
  readonly unconditional: boolean;
}

export interface CompiledAction {
  readonly action: Action;
  readonly atlasId: string;
  readonly atlasIndex: number;
  readonly mode: AtlasMode;
  readonly tier: number;
  readonly capabilities: ReadonlySet<string>;
  /** Whether one of the candidates is written in Cedar. */
  cedar: boolean;
  /** Policies of each phase whose globs and capabilities fit this action, the strongest first. */
  readonly candidates: Readonly<Record<Phase, readonly CompiledPolicy[]>>;
  /** Of an action whose Atlas only logs: the rules of guardrails, which hold all the same. */
  readonly guards: Readonly<Record<Phase, readonly CompiledPolicy[]>> | undefined;
}

export interface PolicySet {
  /** Those that offer actions and context. */
  readonly atlases: readonly Atlas[];
  /** Of every Atlas of the set, by the index that policies and actions have. */
  readonly modes: readonly AtlasMode[];
  /** All policies of each phase in their order: priority, then load order, then manifest order. */
  readonly policies: Readonly<Record<Phase, readonly CompiledPolicy[]>>;
  readonly actionIds: readonly string[];
  /** The facts that some rule looks at. */
  readonly facts: readonly FactKey[];
  action(actionId: string): CompiledAction | undefined;
}

export interface LoadedAtlas {
  readonly atlas: Atlas;
  readonly mode: AtlasMode;
  /** Its rules restrict what others offer; it offers no actions and no context itself. */
  readonly rulesOnly?: boolean | undefined;
  /** Its rules hold for every request, also on actions of an Atlas that only logs. */
  readonly guardrail?: boolean | undefined;
}

/** What tells one compiled Atlas of a set from another. */
export function loadKey(load: {
  readonly digest: string;
  readonly mode: AtlasMode;
  readonly rulesOnly?: boolean | undefined;
  readonly guardrail?: boolean | undefined;
}): string {
  return `${load.digest} ${load.mode}${load.rulesOnly ? ' rules' : ''}${load.guardrail ? ' guardrail' : ''}`;
}

/** Collects the candidates of every action once, so that the first decision is as fast as the rest. */
export function compilePolicies(loaded: readonly LoadedAtlas[]): PolicySet {
  const policies = sortedPolicies(loaded);
  const actions = unruledActions(loaded);
  const index = new GlobIndex(actions);
  // Policies are visited in order, so that every action's list is in that order too.
  for (const phase of PHASES) {
    for (const policy of policies[phase]) {
      const { mode, guardrail } = loaded[policy.atlasIndex] ?? {};
      const logsOnly = mode === 'log_only';
      const guards = guardrail === true && !logsOnly && phase !== 'allow';
      for (const glob of policy.policy.actions ?? ['*']) {
        for (const action of index.matching(glob)) {
          if (!hasSay(policy, logsOnly, action)) continue;
          addCandidate(action.candidates, phase, policy);
          action.cedar ||= policy.rule.cedar !== undefined;
          if (!guards || action.mode !== 'log_only') continue;
          action.guards ??= noCandidates();
          addCandidate(action.guards, phase, policy);
        }
      }
    }
  }
  return {
    atlases: loaded.filter(({ rulesOnly }) => !rulesOnly).map(({ atlas }) => atlas),
    modes: loaded.map(({ mode }) => mode),
    policies,
    actionIds: [...actions.keys()],
    facts: factsAsked(policies),
    action: (actionId) => actions.get(actionId),
  };
}

function factsAsked(policies: PolicySet['policies']): FactKey[] {
  const asked = PHASES.flatMap((phase) =>
    policies[phase].flatMap(({ rule }) => (rule.when ? factsOf(rule.when) : [])),
  );
  return asked.filter((key, at) => asked.findIndex((each) => sameKey(each, key)) === at);
}

function sortedPolicies(loaded: readonly LoadedAtlas[]): Record<Phase, CompiledPolicy[]> {
  const policies: Record<Phase, CompiledPolicy[]> = {
    deny: [],
    approval: [],
    rate: [],
    budget: [],
    allow: [],
  };
  for (const [atlasIndex, { atlas }] of loaded.entries()) {
    for (const policy of atlas.manifest.policies ?? []) {
      const compiled = compilePolicy(policy, atlas.manifest.atlas_id, atlasIndex);
      policies[compiled.phase].push(compiled);
    }
  }
  // The sort is stable: load order and manifest order stay.
  for (const phase of PHASES)
    policies[phase].sort((a, b) => (b.policy.priority ?? 0) - (a.policy.priority ?? 0));
  return policies;
}

function hasSay(policy: CompiledPolicy, logsOnly: boolean, action: CompiledAction): boolean {
  // An Atlas grants only its own actions, and one that only logs has no say over those of one that enforces.
  if (policy.atlasIndex !== action.atlasIndex && (logsOnly || policy.phase === 'allow')) return false;
  return !policy.capabilities || overlaps(policy.capabilities, action.capabilities);
}

type Candidates = Record<Phase, readonly CompiledPolicy[]>;

/** Shared by all lists that stay empty, which are most. */
const NO_POLICIES: readonly CompiledPolicy[] = [];
const NO_CAPABILITIES: ReadonlySet<string> = new Set();

function addCandidate(candidates: Candidates, phase: Phase, policy: CompiledPolicy): void {
  const list = candidates[phase] as CompiledPolicy[];
  if (list === NO_POLICIES) candidates[phase] = [policy];
  // Two globs of one policy may match the same action.
  else if (list[list.length - 1] !== policy) list.push(policy);
}

function compilePolicy(policy: Policy, atlasId: string, atlasIndex: number): CompiledPolicy {
  const { conditions = {} } = policy;
  const { rule } = readPolicyRule(policy);
  const agents = conditions.agents?.map(globMatcher);
  const context = conditions.context_matches && Object.entries(conditions.context_matches);
  const { capabilities, risk_tiers: tiers, time_window: window } = conditions;
  return {
    policyId: policy.policy_id,
    atlasId,
    atlasIndex,
    phase: PHASE_OF[policy.type],
    type: policy.type,
    policy,
    rule,
    tiers: tiers && tierMask(tiers),
    agents: agents && ((agentId) => agents.some((matches) => matches(agentId))),
    capabilities: capabilities && new Set(capabilities),
    context,
    window: window && compileWindow(window),
    unconditional:
      !tiers && !agents && !context && !window && !rule.when && !rule.cedar && policy.type !== 'scope',
  };
}

interface UnruledAction extends CompiledAction {
  readonly candidates: Candidates;
  guards: Candidates | undefined;
}

function noCandidates(): Candidates {
  return {
    deny: NO_POLICIES,
    approval: NO_POLICIES,
    rate: NO_POLICIES,
    budget: NO_POLICIES,
    allow: NO_POLICIES,
  };
}

function unruledActions(loaded: readonly LoadedAtlas[]): Map<string, UnruledAction> {
  const actions = new Map<string, UnruledAction>();
  for (const [atlasIndex, { atlas, mode, rulesOnly }] of loaded.entries()) {
    if (rulesOnly) continue;
    const { manifest } = atlas;
    const capabilitiesOf = new Map<string, Set<string>>();
    for (const capability of manifest.capabilities ?? []) {
      for (const actionId of capability.actions ?? []) {
        const known = capabilitiesOf.get(actionId) ?? new Set<string>();
        capabilitiesOf.set(actionId, known.add(capability.capability_id));
      }
    }
    for (const action of manifest.actions ?? []) {
      if (actions.has(action.action_id)) continue;
      actions.set(action.action_id, {
        action,
        atlasId: manifest.atlas_id,
        atlasIndex,
        mode,
        tier: tierRank(action.risk_tier),
        capabilities: capabilitiesOf.get(action.action_id) ?? NO_CAPABILITIES,
        cedar: false,
        candidates: noCandidates(),
        guards: undefined,
      });
    }
  }
  return actions;
}

function overlaps(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const item of a) if (b.has(item)) return true;
  return false;
}
