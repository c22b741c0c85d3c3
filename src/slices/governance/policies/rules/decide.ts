import type { Micros } from '../../../../kernel/clock.ts';
import { JsonNumber } from '../../../../kernel/json/value.ts';
import type { RiskTier } from '../../schema.ts';
import type { CompiledAction, CompiledPolicy, Phase } from './compile.ts';
import { tierRank } from './tiers.ts';
import { inWindow } from './time-window.ts';
import { whenHolds } from './when.ts';

export interface DecisionInput {
  /** Who answers for the call, as the credential proved it. */
  readonly agentId: string;
  /** The name that it gave to a subagent of its own. A rule that restricts may mean it; nothing is granted to it. */
  readonly subagent?: string | undefined;
  readonly riskTier: RiskTier | undefined;
  readonly context: Readonly<Record<string, unknown>>;
  readonly scopes: ReadonlySet<string>;
  readonly now: Micros;
  /**
   * Absent while they are not known (resolve): a rule that grants on parameters then counts as granting, and one that
   * restricts on them waits for the call.
   */
  readonly parameters?: unknown;
}

export const DEFAULT_DENY = 'default-deny';

export interface Verdict {
  /** Without quotas and granted approvals: those are checked when the call is made. */
  readonly effect: 'allow' | 'deny' | 'require_approval';
  readonly policyId: string;
  readonly policy: CompiledPolicy | undefined;
  /** Every rule that wants a person to agree, strongest first: each needs a grant of its own. */
  readonly approvals: readonly CompiledPolicy[];
  /** Every limit that applies if the action runs. */
  readonly limits: readonly CompiledPolicy[];
  /** The grant below an approval, or the winner itself; for constraints. */
  readonly grant: CompiledPolicy | undefined;
}

const NO_POLICIES: readonly CompiledPolicy[] = [];

/**
 * Deny, then approval, then limits, then allow; else deny. Inside a phase the first that fits decides; approvals and
 * limits all count.
 */
export function decide(action: CompiledAction, input: DecisionInput): Verdict {
  const tierBit = 1 << Math.max(action.tier, tierRank(input.riskTier));
  const denied = firstFitting(action, 'deny', tierBit, input);
  if (denied) return denial(denied.policyId, denied);
  const approvals = allFitting(action.candidates.approval, tierBit, input);
  const [approval] = approvals;
  const grant = firstFitting(action, 'allow', tierBit, input);
  if (!approval && !grant) return denial(DEFAULT_DENY, undefined);
  const limits = limitsOf(action, tierBit, input);
  const winner = approval ?? (grant as CompiledPolicy);
  return {
    effect: approval ? 'require_approval' : 'allow',
    policyId: winner.policyId,
    policy: winner,
    approvals,
    limits,
    grant,
  };
}

function denial(policyId: string, policy: CompiledPolicy | undefined): Verdict {
  return { effect: 'deny', policyId, policy, approvals: NO_POLICIES, limits: NO_POLICIES, grant: undefined };
}

function firstFitting(
  action: CompiledAction,
  phase: Phase,
  tierBit: number,
  input: DecisionInput,
): CompiledPolicy | undefined {
  for (const policy of action.candidates[phase]) {
    if (policy.unconditional || fitsInput(policy, tierBit, input)) return policy;
  }
  return undefined;
}

function limitsOf(action: CompiledAction, tierBit: number, input: DecisionInput): readonly CompiledPolicy[] {
  const { rate, budget } = action.candidates;
  if (rate.length === 0 && budget.length === 0) return NO_POLICIES;
  return allFitting([...rate, ...budget], tierBit, input);
}

function allFitting(
  candidates: readonly CompiledPolicy[],
  tierBit: number,
  input: DecisionInput,
): readonly CompiledPolicy[] {
  if (candidates.length === 0) return NO_POLICIES;
  return candidates.filter((policy) => policy.unconditional || fitsInput(policy, tierBit, input));
}

/** Checks everything but globs and capabilities, which the candidates have already passed. */
export function fitsInput(policy: CompiledPolicy, tierBit: number, input: DecisionInput): boolean {
  if (policy.tiers !== undefined && (policy.tiers & tierBit) === 0) return false;
  if (!agentFits(policy, input)) return false;
  if (policy.context && !contextFits(policy.context, input.context)) return false;
  if (policy.window && !inWindow(policy.window, input.now)) return false;
  if (!whenFits(policy, input.parameters)) return false;
  return policy.type !== 'scope' || lacksScope(policy, input.scopes);
}

/** Whoever could gain by a name would choose it: what a subagent is called only ever adds restrictions. */
export function agentFits(policy: CompiledPolicy, { agentId, subagent }: DecisionInput): boolean {
  if (!policy.agents || policy.agents(agentId)) return true;
  return subagent !== undefined && policy.phase !== 'allow' && policy.agents(subagent);
}

export function whenFits(policy: CompiledPolicy, parameters: unknown): boolean {
  if (!policy.rule.when) return true;
  const grants = policy.phase === 'allow';
  return parameters === undefined ? grants : whenHolds(policy.rule.when, parameters, !grants);
}

export function lacksScope(policy: CompiledPolicy, scopes: ReadonlySet<string>): boolean {
  return !scopes.has('*') && policy.rule.scopes.some((scope) => !scopes.has(scope));
}

/** Numbers and booleans are compared as the text that JSON writes for them. */
export function contextFits(
  wanted: readonly (readonly [string, string])[],
  context: Readonly<Record<string, unknown>>,
): boolean {
  for (const [key, value] of wanted) {
    if (!Object.hasOwn(context, key) || contextText(context[key]) !== value) return false;
  }
  return true;
}

function contextText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof JsonNumber) return value.lexeme;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
