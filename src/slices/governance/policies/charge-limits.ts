import type { Micros } from '../../../kernel/clock.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { Denial } from '../execution/answer.ts';
import type { AppliedLimit } from './rules/applied-limits.ts';
import { checkBudget, costOf } from './rules/budget.ts';
import type { Decimal } from './rules/decimal.ts';
import { checkRate } from './rules/rate.ts';
import { pathSteps, valueAt } from './rules/when.ts';
import { insertCharge, selectUsage } from './store.ts';

const ONE: Decimal = { digits: 1n, scale: 0 };

/** Checks every limit, rates before budgets, and charges all of them or none. */
export async function chargeLimits(
  uow: UnitOfWork,
  call: {
    readonly limits: readonly AppliedLimit[];
    readonly parameters: JsonObject;
    readonly executionId: string;
    readonly now: Micros;
    /** False where the Atlas only logs: the call is counted but not refused. */
    readonly enforce: boolean;
  },
): Promise<Denial | undefined> {
  const { limits, now, parameters } = call;
  const usage = await selectUsage(uow, limits, now);
  const amounts: Decimal[] = [];
  for (const limit of limits) {
    const { policyId } = limit;
    const charges = usage.get(limit.key) ?? [];
    if (limit.kind === 'rate') {
      const log = charges.map(({ at }) => at);
      const verdict = checkRate(log, limit.rule, now);
      amounts.push(ONE);
      if (call.enforce && !verdict.ok) {
        const { retryAfterSeconds } = verdict;
        return { reason: 'rate_limit_exceeded', policyId, violation: 'rate_limit', retryAfterSeconds };
      }
      continue;
    }
    const { costField } = limit.rule;
    const named = costField === undefined ? undefined : valueAt(parameters, pathSteps(costField));
    const cost = costOf(limit.rule, named);
    const verdict = cost && checkBudget(charges, limit.rule, cost, now);
    amounts.push(cost ?? ONE);
    if (call.enforce && !verdict?.ok) {
      return {
        reason: verdict ? 'budget_exceeded' : 'budget_cost_unknown',
        policyId,
        violation: 'budget',
        retryAfterSeconds: verdict?.retryAfterSeconds,
      };
    }
  }
  for (const [at, limit] of limits.entries()) {
    await insertCharge(uow, { limit, at: now, amount: amounts[at] ?? ONE, executionId: call.executionId });
  }
  return undefined;
}
