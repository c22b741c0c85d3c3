import { globMatcher } from '../../../kernel/glob.ts';
import type { Action, Policy, PolicyType } from '../../schema/atlas.ts';
import type { Atlas, AtlasMode } from '../atlas/atlas.ts';
import { type PolicyRule, readPolicyRule } from './parameters.ts';
import { PatternIndex } from './pattern-index.ts';
import { tierMask, tierRank } from './tiers.ts';
import { type CompiledWindow, compileWindow } from './time-window.ts';

/** The order of section 5.5; a scope rule refuses, so it stands with the denials. */
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
  /** Policies of each phase whose globs and capabilities fit this action, the strongest first. */
  readonly candidates: Readonly<Record<Phase, readonly CompiledPolicy[]>>;
}

export interface PolicySet {
  readonly atlases: readonly Atlas[];
  readonly modes: readonly AtlasMode[];
  /** All policies of each phase in their order: priority, then load order, then manifest order. */
  readonly policies: Readonly<Record<Phase, readonly CompiledPolicy[]>>;
  readonly actionIds: readonly string[];
  action(actionId: string): CompiledAction | undefined;
}

export interface LoadedAtlas {
  readonly atlas: Atlas;
  readonly mode: AtlasMode;
}

/** Candidates of every action are looked up here, once, so that the first decision is as quick as any other. */
export function compilePolicies(loaded: readonly LoadedAtlas[]): PolicySet {
  const policies = Object.fromEntries(PHASES.map((phase) => [phase, [] as CompiledPolicy[]])) as Record<
    Phase,
    CompiledPolicy[]
  >;
  for (const [atlasIndex, { atlas }] of loaded.entries()) {
    for (const policy of atlas.manifest.policies ?? []) {
      const compiled = compilePolicy(policy, atlas.manifest.atlas_id, atlasIndex);
      policies[compiled.phase].push(compiled);
    }
  }
  // The sort is stable: load order and manifest order stay.
  for (const phase of PHASES)
    policies[phase].sort((a, b) => (b.policy.priority ?? 0) - (a.policy.priority ?? 0));
  const indexes = Object.fromEntries(PHASES.map((phase) => [phase, indexOf(policies[phase])])) as Record<
    Phase,
    PatternIndex
  >;
  const definitions = actionDefinitions(loaded);
  const compiled = new Map<string, CompiledAction>();

  function action(actionId: string): CompiledAction | undefined {
    const known = compiled.get(actionId);
    if (known) return known;
    const definition = definitions.get(actionId);
    if (!definition) return undefined;
    const { atlasIndex } = definition;
    const mode = loaded[atlasIndex]?.mode ?? 'enforce';
    const fits = (policy: CompiledPolicy) => {
      if (policy.phase === 'allow' && policy.atlasIndex !== atlasIndex) return false;
      // An Atlas that only logs has no say over the actions of one that enforces.
      if (loaded[policy.atlasIndex]?.mode === 'log_only' && policy.atlasIndex !== atlasIndex) return false;
      return !policy.capabilities || overlaps(policy.capabilities, definition.capabilities);
    };
    const candidates = Object.fromEntries(
      PHASES.map((phase) => [
        phase,
        indexes[phase]
          .find(actionId)
          .map((entry) => policies[phase][entry] as CompiledPolicy)
          .filter(fits),
      ]),
    ) as Record<Phase, CompiledPolicy[]>;
    const made = { ...definition, mode, candidates };
    compiled.set(actionId, made);
    return made;
  }

  for (const actionId of definitions.keys()) action(actionId);
  return {
    atlases: loaded.map(({ atlas }) => atlas),
    modes: loaded.map(({ mode }) => mode),
    policies,
    actionIds: [...definitions.keys()],
    action,
  };
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
    unconditional: !tiers && !agents && !context && !window && !rule.when && policy.type !== 'scope',
  };
}

function indexOf(policies: readonly CompiledPolicy[]): PatternIndex {
  const index = new PatternIndex();
  for (const [entry, { policy }] of policies.entries()) {
    for (const pattern of policy.actions ?? ['*']) index.add(pattern, entry);
  }
  return index;
}

type Definition = Omit<CompiledAction, 'candidates' | 'mode'>;

function actionDefinitions(loaded: readonly LoadedAtlas[]): Map<string, Definition> {
  const definitions = new Map<string, Definition>();
  for (const [atlasIndex, { atlas }] of loaded.entries()) {
    const { manifest } = atlas;
    const capabilitiesOf = new Map<string, Set<string>>();
    for (const capability of manifest.capabilities ?? []) {
      for (const actionId of capability.actions ?? []) {
        const known = capabilitiesOf.get(actionId) ?? new Set<string>();
        capabilitiesOf.set(actionId, known.add(capability.capability_id));
      }
    }
    for (const action of manifest.actions ?? []) {
      if (definitions.has(action.action_id)) continue;
      definitions.set(action.action_id, {
        action,
        atlasId: manifest.atlas_id,
        atlasIndex,
        tier: tierRank(action.risk_tier),
        capabilities: capabilitiesOf.get(action.action_id) ?? new Set(),
      });
    }
  }
  return definitions;
}

function overlaps(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const item of a) if (b.has(item)) return true;
  return false;
}
