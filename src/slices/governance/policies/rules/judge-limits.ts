import type { Micros } from '../../../../kernel/clock.ts';
import type { JsonObject } from '../../../../kernel/json/value.ts';
import type { AppliedLimit, Usage } from './applied-limits.ts';
import { checkBudget, costOf } from './budget.ts';
import type { Decimal } from './decimal.ts';
import { checkRate } from './rate.ts';
import { isBlocked, pathSteps, valueAt } from './when/parameter-path.ts';

const ONE: Decimal = { digits: 1n, scale: 0 };

/** A limit that does not let a call through. */
export interface UsedUp {
  readonly reason: 'rate_limit_exceeded' | 'budget_exceeded' | 'budget_cost_unknown';
  readonly policyId: string;
  readonly violation: 'rate_limit' | 'budget';
  readonly retryAfterSeconds?: number | undefined;
}

export type LimitVerdict =
  | {
      readonly ok: true;
      readonly charges: readonly { readonly limit: AppliedLimit; readonly amount: Decimal }[];
    }
  | { readonly ok: false; readonly over: UsedUp };

/** Checks every limit, rates before budgets: a call is charged to all of them or to none. */
export function judgeLimits(
  limits: readonly AppliedLimit[],
  usage: Usage,
  parameters: JsonObject,
  now: Micros,
  /** False where the Atlas only logs: the call is counted but not refused. */
  enforce: boolean,
): LimitVerdict {
  const charges: { limit: AppliedLimit; amount: Decimal }[] = [];
  for (const limit of limits) {
    const { policyId } = limit;
    const spent = usage.get(limit.key) ?? [];
    if (limit.kind === 'rate') {
      const log = spent.map(({ at }) => at);
      const verdict = checkRate(log, limit.rule, now);
      charges.push({ limit, amount: ONE });
      if (!enforce || verdict.ok) continue;
      const { retryAfterSeconds } = verdict;
      return {
        ok: false,
        over: { reason: 'rate_limit_exceeded', policyId, violation: 'rate_limit', retryAfterSeconds },
      };
    }
    const { costField } = limit.rule;
    const cost = costOf(limit.rule, costField === undefined ? undefined : namedCost(parameters, costField));
    const verdict = cost && checkBudget(spent, limit.rule, cost, now);
    charges.push({ limit, amount: cost ?? ONE });
    if (!enforce || verdict?.ok) continue;
    return {
      ok: false,
      over: {
        reason: verdict ? 'budget_exceeded' : 'budget_cost_unknown',
        policyId,
        violation: 'budget',
        retryAfterSeconds: verdict?.retryAfterSeconds,
      },
    };
  }
  return { ok: true, charges };
}

/** Null where the way to it is blocked: what cannot be read is no reason to charge the usual cost. */
function namedCost(parameters: JsonObject, costField: string): unknown {
  const steps = pathSteps(costField);
  return isBlocked(parameters, steps) ? null : valueAt(parameters, steps);
}
