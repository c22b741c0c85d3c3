import type { Micros } from '../../../../kernel/clock.ts';
import { addDecimals, compareDecimals, type Decimal, decimalOf, subtractDecimals, ZERO } from './decimal.ts';

export interface BudgetRule {
  readonly limit: Decimal;
  readonly unit: string;
  /** The cost of one call, unless the parameters name it. */
  readonly cost: Decimal | undefined;
  /** Where the parameters name the cost: a dotted path or a JSON pointer. */
  readonly costField: string | undefined;
  /** Without one, spending never expires. */
  readonly windowSeconds: number | undefined;
  readonly refundable: boolean;
}

export interface Charge {
  readonly at: Micros;
  readonly amount: Decimal;
}

export type BudgetVerdict =
  | { readonly ok: true; readonly remaining: Decimal }
  | { readonly ok: false; readonly remaining: Decimal; readonly retryAfterSeconds: number | undefined };

function liveCharges(charges: readonly Charge[], rule: BudgetRule, now: Micros): readonly Charge[] {
  if (rule.windowSeconds === undefined) return charges;
  const since = now - rule.windowSeconds * 1_000_000;
  return charges.filter(({ at }) => at > since);
}

export function remainingBudget(charges: readonly Charge[], rule: BudgetRule, now: Micros): Decimal {
  const spent = liveCharges(charges, rule, now).reduce((sum, { amount }) => addDecimals(sum, amount), ZERO);
  return subtractDecimals(rule.limit, spent);
}

/** `remaining` does not count this cost yet. */
export function checkBudget(
  charges: readonly Charge[],
  rule: BudgetRule,
  cost: Decimal,
  now: Micros,
): BudgetVerdict {
  const remaining = remainingBudget(charges, rule, now);
  if (compareDecimals(cost, remaining) <= 0) return { ok: true, remaining };
  return { ok: false, remaining, retryAfterSeconds: waitFor(charges, rule, cost, now) };
}

function waitFor(
  charges: readonly Charge[],
  rule: BudgetRule,
  cost: Decimal,
  now: Micros,
): number | undefined {
  if (rule.windowSeconds === undefined || compareDecimals(cost, rule.limit) > 0) return undefined;
  const window = rule.windowSeconds * 1_000_000;
  for (const { at } of liveCharges(charges, rule, now)) {
    if (compareDecimals(cost, remainingBudget(charges, rule, at + window)) <= 0) {
      return Math.max(1, Math.ceil((at + window - now) / 1_000_000));
    }
  }
  return undefined;
}

/** Undefined where the parameters should name the cost but name none, or no valid amount; such a call is refused. */
export function costOf(rule: BudgetRule, parameter: unknown): Decimal | undefined {
  if (rule.costField === undefined) return rule.cost ?? { digits: 1n, scale: 0 };
  const named = decimalOf(parameter);
  if (named !== undefined) return named.digits >= 0n ? named : undefined;
  return parameter === undefined ? rule.cost : undefined;
}
