import type { Micros } from '../../../../kernel/clock.ts';
import type { Action } from '../../atlases/schema.ts';
import { type BudgetRule, type Charge, remainingBudget } from './budget.ts';
import type { CompiledAction, CompiledPolicy } from './compile.ts';
import { decimalOf, formatDecimal } from './decimal.ts';
import { checkRate, type RateRule } from './rate.ts';
import { pathSteps, valueAt } from './when/parameter-path.ts';
import { plainText } from './when/plain-text.ts';
import { isNumber } from './when/values.ts';

/** Who shares one counter. */
export const LIMIT_SCOPES = ['agent', 'session', 'action', 'global'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

export interface LimitSubject {
  /** Projects may load the same Atlas, and spend nothing of each other's. */
  readonly projectId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly actionId: string;
  /** Undefined while they are not known. */
  readonly parameters?: unknown;
}

/**
 * The name of a counter. It has no Atlas version, so that a new version does not hand out a fresh allowance. A rate
 * limit counts each action apart; a budget is one pot for all actions of its policy.
 */
function limitKey(
  policy: { readonly atlasId: string; readonly policyId: string },
  kind: 'rate' | 'budget',
  { scope, per }: LimitShare,
  subject: LimitSubject,
): string {
  const parts = [kind, policy.atlasId, policy.policyId, scope];
  if (scope === 'agent') parts.push(subject.agentId);
  if (scope === 'session') parts.push(subject.sessionId);
  if (kind === 'rate' || scope === 'action') parts.push(subject.actionId);
  if (per !== undefined) parts.push(per, counted(valueAt(subject.parameters, pathSteps(per))));
  return `${subject.projectId} ${JSON.stringify(parts)}`;
}

/** Who shares one counter of a limit. */
export interface LimitShare {
  readonly scope: LimitScope;
  /** Each value of this parameter has a counter of its own. */
  readonly per: string | undefined;
}

const LONGEST_VALUE = 200;

/**
 * Whoever leaves the parameter out, or gives what is no name, shares a counter with everybody who does; so do all endless
 * names. `5` and `"5"` are one, and so are texts that look the same.
 */
function counted(value: unknown): string {
  const number = isNumber(value) ? decimalOf(value) : undefined;
  if (number) return formatDecimal(number);
  return typeof value === 'string' ? plainText(value).slice(0, LONGEST_VALUE) : '';
}

/** A counter that applies to a call: of a policy, or of the action's own `rate_limit`. */
export type AppliedLimit = {
  readonly policyId: string;
  readonly key: string;
  readonly scope: LimitScope;
  readonly per?: string | undefined;
  /** Which counter it is will be known with the parameters. */
  readonly unknown?: true;
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
    const share = { scope: 'agent', per: undefined } as const;
    const key = limitKey({ atlasId: action.atlasId, policyId }, 'rate', share, subject);
    limits.push({ kind: 'rate', policyId, key, rule: own, scope: 'agent' });
  }
  for (const policy of policies) {
    const { rate, budget } = policy.rule;
    const { policyId } = policy;
    const shared = ({ scope, per }: LimitShare) => ({
      policyId,
      scope,
      per,
      ...(per !== undefined && subject.parameters === undefined && { unknown: true as const }),
    });
    if (rate) {
      const key = limitKey(policy, 'rate', rate, subject);
      limits.push({ kind: 'rate', key, rule: rate, ...shared(rate) });
    }
    if (budget) {
      const key = limitKey(policy, 'budget', budget, subject);
      limits.push({ kind: 'budget', key, rule: budget, ...shared(budget) });
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
