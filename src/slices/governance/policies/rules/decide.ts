import type { Micros } from '../../../../kernel/clock.ts';
import { JsonNumber } from '../../../../kernel/json/value.ts';
import type { RiskTier } from '../../schema.ts';
import type { CompiledAction, CompiledPolicy, Phase } from './compile.ts';
import { tierRank } from './tiers.ts';
import { inWindow } from './time-window.ts';
import type { Asker, KnownFact, Surroundings } from './when/surroundings.ts';
import { whenHolds } from './when/when.ts';

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
  /** Absent where nobody asks: in tests and analyses of an Atlas. */
  readonly asker?: Asker | undefined;
  /** Those that the rules look at, as far as they are known. */
  readonly facts?: readonly KnownFact[] | undefined;
  /** What is asked for, where a rule in Cedar looks at it. */
  readonly action?: { readonly id: string; readonly capabilities: ReadonlySet<string> } | undefined;
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
  /** A guardrail said so: it holds although the action's own Atlas only logs. */
  readonly guarded?: true;
}

/** Whether a verdict is only written down. */
export function onlyLogs(action: Pick<CompiledAction, 'mode'>, verdict: Pick<Verdict, 'guarded'>): boolean {
  return action.mode === 'log_only' && !verdict.guarded;
}

const NO_POLICIES: readonly CompiledPolicy[] = [];

/**
 * Deny, then approval, then limits, then allow; else deny. Inside a phase the first that fits decides; approvals and
 * limits all count.
 */
export function decide(action: CompiledAction, asked: DecisionInput): Verdict {
  const input = inputFor(action, asked);
  const tierBit = 1 << Math.max(action.tier, tierRank(input.riskTier));
  const guarded = action.guards && decideGuards(action.guards, tierBit, input);
  if (guarded) return guarded;
  const denied = firstFitting(action, 'deny', tierBit, input);
  if (denied) return denial(denied.policyId, denied);
  const approvals = allFitting(action.candidates.approval, tierBit, input);
  const [approval] = approvals;
  const grant = firstFitting(action, 'allow', tierBit, input);
  // Only its own Atlas makes an action possible: another's wish to be asked does not.
  if (!grant && !approvals.some(({ atlasIndex }) => atlasIndex === action.atlasIndex))
    return denial(DEFAULT_DENY, undefined);
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

/** The input as the rules on this action see it. */
export function inputFor(compiled: CompiledAction, input: DecisionInput): DecisionInput {
  if (!compiled.cedar) return input;
  return { ...input, action: { id: compiled.action.action_id, capabilities: compiled.capabilities } };
}

/** Undefined where no guardrail has a word on the call. */
function decideGuards(
  guards: CompiledAction['candidates'],
  tierBit: number,
  input: DecisionInput,
): Verdict | undefined {
  const [denied] = allFitting(guards.deny, tierBit, input);
  if (denied) return { ...denial(denied.policyId, denied), guarded: true };
  const approvals = allFitting(guards.approval, tierBit, input);
  const limits = allFitting([...guards.rate, ...guards.budget], tierBit, input);
  const policy = approvals[0] ?? limits[0];
  if (!policy) return undefined;
  const effect = approvals.length > 0 ? 'require_approval' : 'allow';
  return { effect, policyId: policy.policyId, policy, approvals, limits, grant: undefined, guarded: true };
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
  if (!whenFits(policy, input) || !cedarFits(policy, input)) return false;
  return policy.type !== 'scope' || lacksScope(policy, input.scopes);
}

/** Whether the policy may apply to a call of the action, whatever its parameters are. */
export function couldFit(policy: CompiledPolicy, action: CompiledAction, input: DecisionInput): boolean {
  if (policy.type === 'scope') return lacksScope(policy, input.scopes);
  const tierBit = 1 << Math.max(action.tier, tierRank(input.riskTier));
  if (policy.tiers !== undefined && (policy.tiers & tierBit) === 0) return false;
  if (!agentFits(policy, input) || (policy.window && !inWindow(policy.window, input.now))) return false;
  return !policy.context || contextFits(policy.context, input.context);
}

/** Whoever could gain by a name would choose it: what a subagent is called only ever adds restrictions. */
export function agentFits(policy: CompiledPolicy, { agentId, subagent }: DecisionInput): boolean {
  if (!policy.agents || policy.agents(agentId)) return true;
  return subagent !== undefined && policy.phase !== 'allow' && policy.agents(subagent);
}

export function whenFits(policy: CompiledPolicy, input: DecisionInput): boolean {
  if (!policy.rule.when) return true;
  return whenHolds(policy.rule.when, surroundingsOf(input), countsUnclear(policy, input));
}

export function cedarFits(policy: CompiledPolicy, input: DecisionInput): boolean {
  const { cedar } = policy.rule;
  if (!cedar) return true;
  const outcome = cedar.outcome(input);
  return outcome === 'unclear' ? countsUnclear(policy, input) : outcome;
}

/** What cannot be judged never grants and never escapes; what is not known yet is judged when it is. */
export function countsUnclear({ phase }: CompiledPolicy, { parameters }: DecisionInput): boolean {
  return (phase === 'allow') === (parameters === undefined);
}

export function surroundingsOf(input: DecisionInput): Surroundings {
  const { parameters, now, agentId, subagent, scopes, asker, facts } = input;
  return { parameters, now, agentId, subagent, scopes, asker, facts };
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
