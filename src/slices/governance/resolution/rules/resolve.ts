import { mayAskAhead } from '../../approvals/grant-rules.ts';
import type { Conditions } from '../../atlases/schema.ts';
import { type AppliedLimit, appliedLimits, type Usage } from '../../policies/rules/applied-limits.ts';
import {
  type CompiledAction,
  type CompiledPolicy,
  PHASES,
  type PolicySet,
} from '../../policies/rules/compile.ts';
import {
  couldFit,
  DEFAULT_DENY,
  type DecisionInput,
  decide,
  onlyLogs,
  type Verdict,
} from '../../policies/rules/decide.ts';
import { tightest } from '../../policies/rules/rate.ts';
import { effectiveTier } from '../../policies/rules/tiers.ts';
import { asksTheClock } from '../../policies/rules/when/when.ts';
import type { RiskTier } from '../../schema.ts';
import type { AllowedAction, CarpResolution, Constraint, ContextBlock, DeniedAction } from '../schema.ts';
import { ConstraintList } from './constraints.ts';
import { selectContext } from './context-blocks.ts';
import { decisionInputOf, type ResolveInput } from './input.ts';
import { limitedSchema, limitsInWords } from './parameter-limits.ts';
import { rememberedRulings } from './remembered-rulings.ts';

/** What a rule said about an action, as `policy.evaluated` records it. */
export type Evaluation = {
  readonly policy_id: string;
  readonly result: 'allow' | 'deny';
  readonly action_id: string;
  /** Only where it is not plain allow or deny. */
  readonly effect?: 'require_approval' | 'log_only';
};

/** A policy that nobody has agreed to for an action yet. */
export interface WaitingAction {
  readonly actionId: string;
  readonly policy: CompiledPolicy;
  readonly riskTier: RiskTier;
  /** It may be agreed to before the parameters are known; else it is asked when the action is executed. */
  readonly ahead: boolean;
}

/** What the rules say of every action: all of a resolution that its goal does not change. Never changed once made. */
export interface Rulings {
  readonly allowed: readonly AllowedAction[];
  readonly denied: readonly DeniedAction[];
  readonly constraints: readonly Constraint[];
  readonly evaluations: readonly Evaluation[];
  readonly waiting: readonly WaitingAction[];
}

/** A resolution without its ids and instants. */
export interface ResolutionDraft extends Rulings {
  readonly outcome: Outcome;
  readonly blocks: readonly ContextBlock[];
  /** Whether the clock alone may change the draft of the same request. */
  readonly timed: boolean;
}

export interface ResolveState {
  readonly projectId: string;
  readonly sessionId: string;
  /**
   * Whether a person has agreed that the next call of the action passes the policy, whatever its parameters. Left out where
   * nobody has agreed to anything.
   */
  readonly passes?: ((policy: CompiledPolicy, actionId: string, riskTier: RiskTier) => boolean) | undefined;
  readonly usage: Usage;
  /** All of the input that rules look at, as a text; the same text means the same input. */
  readonly question?: string | undefined;
}

type SessionPlace = Pick<ResolveState, 'projectId' | 'sessionId'>;

const NO_STATE: ResolveState = { projectId: '', sessionId: '', usage: new Map() };

interface Evaluated {
  readonly action: CompiledAction;
  readonly verdict: Verdict;
  readonly limits: readonly AppliedLimit[];
}

/** The counters that a resolution will report, so that the caller can read them first. */
export function limitsOf(set: PolicySet, input: ResolveInput, place: SessionPlace): AppliedLimit[] {
  return hasLimits(set) ? evaluate(set, input, place).flatMap(({ limits }) => limits) : [];
}

function hasLimits(set: PolicySet): boolean {
  return (
    set.policies.rate.length > 0 ||
    set.policies.budget.length > 0 ||
    set.atlases.some(({ manifest }) => (manifest.actions ?? []).some(({ rate_limit: own }) => own))
  );
}

export function resolve(
  set: PolicySet,
  input: ResolveInput,
  state: ResolveState = NO_STATE,
): ResolutionDraft {
  const timed = hasClockRules(set);
  const settled = !timed && !state.passes && !hasLimits(set);
  const make = () => rulingsOf(set, input, state);
  const rulings =
    settled && state.question !== undefined ? rememberedRulings(set, state.question, make) : make();
  const blocks = selectContext(set.atlases, {
    input: decisionInputOf(input),
    goal: input.goal,
    hints: input.hints,
    requiredCapabilities: input.requiredCapabilities,
  });
  const { allowed, denied, waiting } = rulings;
  const waitingActions = new Set(waiting.map(({ actionId }) => actionId)).size;
  return {
    ...rulings,
    outcome: outcomeOf({
      allowed: allowed.length - waitingActions,
      waiting: waitingActions,
      denied: denied.length,
      missingCapabilities: missingCapabilities(set, input.requiredCapabilities),
    }),
    blocks,
    timed,
  };
}

function rulingsOf(set: PolicySet, input: ResolveInput, state: ResolveState): Rulings {
  const allowed: AllowedAction[] = [];
  const denied: DeniedAction[] = [];
  const evaluations: Evaluation[] = [];
  const waiting: WaitingAction[] = [];
  const constraints = new ConstraintList();
  const asked = decisionInputOf(input);
  for (const { action, verdict, limits } of evaluate(set, input, state)) {
    const actionId = action.action.action_id;
    const logOnly = onlyLogs(action, verdict);
    const riskTier = effectiveTier(input.riskTier, action.action.risk_tier);
    const missing = verdict.approvals.filter((policy) => !state.passes?.(policy, actionId, riskTier));
    const approved = verdict.effect === 'require_approval' && missing.length === 0;
    const waits = missing.length > 0 && !logOnly;
    const refused = verdict.effect === 'deny' && !logOnly;
    evaluations.push(evaluationOf(verdict, actionId, { logOnly, approved }));
    if (refused) {
      denied.push({ action_id: actionId, reason: denialReason(verdict), policy_id: verdict.policyId });
      continue;
    }
    if (waits) {
      for (const policy of missing) {
        const ahead = mayAskAhead(policy.rule, riskTier);
        waiting.push({ actionId, policy, riskTier, ahead });
        constraints.approval(policy, actionId, ahead);
      }
    }
    for (const limit of limits) constraints.limit(limit, actionId, state.usage, input.now);
    if (verdict.grant) constraints.window(verdict.grant, actionId);
    const applies = (policy: CompiledPolicy) => couldFit(policy, action, asked);
    allowed.push(allowedAction(action, waits, limits, applies));
  }
  return { allowed, denied, constraints: constraints.list(), evaluations, waiting };
}

function evaluate(set: PolicySet, input: ResolveInput, place: SessionPlace): Evaluated[] {
  const { projectId, sessionId } = place;
  const decisionInput = decisionInputOf(input);
  const wanted = new Set(input.requiredCapabilities);
  const evaluated: Evaluated[] = [];
  for (const actionId of set.actionIds) {
    const action = set.action(actionId) as CompiledAction;
    if (wanted.size > 0 && ![...action.capabilities].some((id) => wanted.has(id))) continue;
    const verdict = decide(action, decisionInput);
    const limits =
      verdict.effect === 'deny'
        ? []
        : appliedLimits(action, verdict.limits, { projectId, agentId: input.agentId, sessionId, actionId });
    evaluated.push({ action, verdict, limits });
  }
  return evaluated;
}

export function evaluationOf(
  verdict: Verdict,
  actionId: string,
  state: { readonly logOnly: boolean; readonly approved: boolean },
): Evaluation {
  const base = { policy_id: verdict.policyId, action_id: actionId };
  const result = verdict.effect === 'allow' || state.approved ? 'allow' : 'deny';
  if (state.logOnly && result === 'deny') return { ...base, result, effect: 'log_only' };
  return {
    ...base,
    result,
    ...(verdict.effect === 'require_approval' && { effect: 'require_approval' as const }),
  };
}

export function denialReason(verdict: Verdict): string {
  if (verdict.policyId === DEFAULT_DENY) return 'No policy allows this action';
  if (verdict.policy?.rule.reason !== undefined) return verdict.policy.rule.reason;
  return verdict.policy?.type === 'scope' ? 'The credential lacks a required scope' : 'Denied by policy';
}

/** Why a call is denied; where that is for its parameters, what they would have to be. */
export function callDenialReason(verdict: Verdict, action: CompiledAction, input: DecisionInput): string {
  const reason = denialReason(verdict);
  if (verdict.policyId !== DEFAULT_DENY) return reason;
  const words = limitsInWords(action, (policy) => couldFit(policy, action, input));
  return words === undefined ? reason : `${reason} with these parameters. ${words.replace(/\.$/, '')}`;
}

function allowedAction(
  action: CompiledAction,
  waits: boolean,
  limits: readonly AppliedLimit[],
  applies: (policy: CompiledPolicy) => boolean,
): AllowedAction {
  const { action: definition } = action;
  const words = limitsInWords(action, applies);
  const rate = tightest(limits.flatMap((limit) => (limit.kind === 'rate' ? [limit.rule] : [])));
  return {
    action_id: definition.action_id,
    name: definition.name,
    description: words === undefined ? definition.description : `${definition.description} (${words})`,
    parameters_schema: limitedSchema(action, applies),
    returns_schema: definition.returns_schema ?? {},
    risk_tier: definition.risk_tier ?? 'low',
    requires_confirmation: waits || (definition.requires_confirmation ?? false),
    idempotent: definition.idempotent ?? false,
    ...(rate && { rate_limit: { max_calls: rate.maxCalls, window_seconds: rate.windowSeconds } }),
  };
}

function missingCapabilities(set: PolicySet, required: readonly string[]): string[] {
  const known = new Set(
    set.atlases.flatMap(({ manifest }) => (manifest.capabilities ?? []).map((each) => each.capability_id)),
  );
  return required.filter((id) => !known.has(id));
}

const clockRules = new WeakMap<PolicySet, boolean>();

/** Whether some rule asks what time it is. */
export function hasClockRules(set: PolicySet): boolean {
  let known = clockRules.get(set);
  if (known === undefined) {
    const timed = ({ conditions }: { conditions?: Conditions | undefined }) => conditions?.time_window;
    known =
      set.atlases.some(({ manifest }) => (manifest.context_packs ?? []).some(timed)) ||
      PHASES.some((phase) =>
        set.policies[phase].some(
          ({ window, rule }) =>
            window !== undefined ||
            rule.cedar?.timed === true ||
            (rule.when !== undefined && asksTheClock(rule.when)),
        ),
      );
    clockRules.set(set, known);
  }
  return known;
}

interface Tally {
  readonly allowed: number;
  readonly waiting: number;
  readonly denied: number;
  readonly missingCapabilities: readonly string[];
}

export interface Outcome {
  readonly type: CarpResolution['decision']['type'];
  readonly reason: string | null;
}

/** Section 3.3.1: everything, nothing, some of it, or only after a person has agreed. */
function outcomeOf(tally: Tally): Outcome {
  const { allowed, waiting, denied, missingCapabilities } = tally;
  const missing = missingCapabilities.length > 0 ? [`Not available: ${missingCapabilities.join(', ')}`] : [];
  if (allowed + waiting === 0) {
    const nothing = denied === 0 ? 'No action is available' : 'All actions are denied by policy';
    return { type: 'deny', reason: [nothing, ...missing].join('; ') };
  }
  if (allowed === 0) {
    return { type: 'requires_approval', reason: ['A person must approve first', ...missing].join('; ') };
  }
  const reasons = [
    ...(denied > 0 ? ['Some actions are denied by policy'] : []),
    ...(waiting > 0 ? ['Some actions wait for approval'] : []),
    ...missing,
  ];
  return reasons.length === 0
    ? { type: 'allow', reason: null }
    : { type: 'partial', reason: reasons.join('; ') };
}
