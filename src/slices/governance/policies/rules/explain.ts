import { globMatcher } from '../../../../kernel/glob.ts';
import { type CompiledAction, type CompiledPolicy, PHASES, type PolicySet } from './compile.ts';
import {
  agentFits,
  cedarFits,
  contextFits,
  countsUnclear,
  type DecisionInput,
  decide,
  inputFor,
  lacksScope,
  surroundingsOf,
  whenFits,
} from './decide.ts';
import { tierRank } from './tiers.ts';
import { inWindow } from './time-window.ts';
import { firstFailingTest } from './when/when.ts';

export interface PolicyExplanation {
  readonly policy_id: string;
  readonly atlas_id: string;
  readonly type: string;
  readonly matched: boolean;
  /** The first condition that failed, in the order in which they are checked. */
  readonly failed?: string;
}

export interface Explanation {
  readonly action_id: string;
  readonly effect: 'allow' | 'deny' | 'require_approval';
  readonly winner: string;
  readonly matched: readonly string[];
  readonly policies: readonly PolicyExplanation[];
}

/** Undefined for an action that no Atlas of the set defines. */
export function explain(set: PolicySet, actionId: string, input: DecisionInput): Explanation | undefined {
  const action = set.action(actionId);
  if (!action) return undefined;
  const verdict = decide(action, input);
  const seen = inputFor(action, input);
  const policies = PHASES.flatMap((phase) =>
    set.policies[phase].map((policy) => {
      const failed = firstFailure(set, policy, action, seen);
      return {
        policy_id: policy.policyId,
        atlas_id: policy.atlasId,
        type: policy.type,
        matched: failed === undefined,
        ...(failed !== undefined && { failed }),
      };
    }),
  );
  return {
    action_id: actionId,
    effect: verdict.effect,
    winner: verdict.policyId,
    matched: policies.filter(({ matched }) => matched).map(({ policy_id }) => policy_id),
    policies,
  };
}

function firstFailure(
  set: PolicySet,
  policy: CompiledPolicy,
  action: CompiledAction,
  input: DecisionInput,
): string | undefined {
  const foreign = policy.atlasIndex !== action.atlasIndex;
  if (foreign && (policy.phase === 'allow' || set.modes[policy.atlasIndex] === 'log_only')) return 'atlas';
  const globs = policy.policy.actions ?? ['*'];
  if (!globs.some((glob) => globMatcher(glob)(action.action.action_id))) return 'actions';
  if (policy.capabilities && ![...policy.capabilities].some((id) => action.capabilities.has(id))) {
    return 'conditions.capabilities';
  }
  const tierBit = 1 << Math.max(action.tier, tierRank(input.riskTier));
  if (policy.tiers !== undefined && (policy.tiers & tierBit) === 0) return 'conditions.risk_tiers';
  if (!agentFits(policy, input)) return 'conditions.agents';
  if (policy.context && !contextFits(policy.context, input.context)) {
    const key = policy.context.find((entry) => !contextFits([entry], input.context))?.[0];
    return `conditions.context_matches.${key}`;
  }
  if (policy.window && !inWindow(policy.window, input.now)) return 'conditions.time_window';
  if (!whenFits(policy, input)) {
    const test =
      policy.rule.when &&
      firstFailingTest(policy.rule.when, surroundingsOf(input), countsUnclear(policy, input));
    const known = input.parameters !== undefined || test?.startsWith('@');
    return known ? `parameters.when ${test ?? ''}`.trim() : 'parameters.when (no parameters yet)';
  }
  if (!cedarFits(policy, input)) return 'parameters.cedar';
  if (policy.type === 'scope' && !lacksScope(policy, input.scopes)) return 'parameters.required_scopes';
  return undefined;
}
