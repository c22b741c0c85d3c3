import type { Micros } from '../../../../kernel/clock.ts';
import type { Action } from '../../atlases/schema.ts';
import { type BudgetRule, type Charge, remainingBudget } from './budget.ts';
import type { CompiledAction, CompiledPolicy } from './compile.ts';
import { formatDecimal } from './decimal.ts';
import { checkRate, type RateRule } from './rate.ts';

/** Who shares one counter. */
export const LIMIT_SCOPES = ['agent', 'session', 'action', 'global'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

export interface LimitSubject {
  /** Projects may load the same Atlas, and spend nothing of each other's. */
  readonly projectId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly actionId: string;
}

/**
 * The name of a counter. It has no Atlas version, so that a new version does not hand out a fresh allowance. A rate
 * limit counts each action apart; a budget is one pot for all actions of its policy.
 */
function limitKey(
  policy: { readonly atlasId: string; readonly policyId: string },
  kind: 'rate' | 'budget',
  scope: LimitScope,
  subject: LimitSubject,
): string {
  const parts = [kind, policy.atlasId, policy.policyId, scope];
  if (scope === 'agent') parts.push(subject.agentId);
  if (scope === 'session') parts.push(subject.sessionId);
  if (kind === 'rate' || scope === 'action') parts.push(subject.actionId);
  return `${subject.projectId} ${JSON.stringify(parts)}`;
}

/** A counter that applies to a call: of a policy, or of the action's own `rate_limit`. */
export type AppliedLimit = {
  readonly policyId: string;
  readonly key: string;
  readonly scope: LimitScope;
} & (
  | { readonly kind: 'rate'; readonly rule: RateRule }
  | { readonly kind: 'budget'; readonly rule: BudgetRule }
);

/** What was spent before, by key, oldest first. */
export type Usage = ReadonlyMap<string, readonly Charge[]>;

export function appliedLimits(
  action: CompiledAction,
  policies: readonly CompiledPolicy[],
  subject: LimitSubject,
): AppliedLimit[] {
  const limits: AppliedLimit[] = [];
  const own = ownRate(action.action);
  if (own) {
    // The `rate_limit` in an action's definition has no policy of its own.
    const policyId = `action-rate-limit:${action.action.action_id}`;
    const key = limitKey({ atlasId: action.atlasId, policyId }, 'rate', 'agent', subject);
    limits.push({ kind: 'rate', policyId, key, rule: own, scope: 'agent' });
  }
  for (const policy of policies) {
    const { rate, budget } = policy.rule;
    if (rate) {
      const key = limitKey(policy, 'rate', rate.scope, subject);
      limits.push({ kind: 'rate', policyId: policy.policyId, key, rule: rate, scope: rate.scope });
    }
    if (budget) {
      const key = limitKey(policy, 'budget', budget.scope, subject);
      limits.push({ kind: 'budget', policyId: policy.policyId, key, rule: budget, scope: budget.scope });
    }
  }
  return limits;
}

/** Half a rate limit is none. */
function ownRate(action: Action): RateRule | undefined {
  const { max_calls: maxCalls, window_seconds: windowSeconds } = action.rate_limit ?? {};
  return maxCalls === undefined || windowSeconds === undefined ? undefined : { maxCalls, windowSeconds };
}

/** A number for calls, decimal text for amounts. */
export function remainingOf(limit: AppliedLimit, usage: Usage, now: Micros): number | string {
  const charges = usage.get(limit.key) ?? [];
  if (limit.kind === 'rate') {
    const log = charges.map(({ at }) => at);
    return checkRate(log, limit.rule, now).remaining;
  }
  return formatDecimal(remainingBudget(charges, limit.rule, now));
}
