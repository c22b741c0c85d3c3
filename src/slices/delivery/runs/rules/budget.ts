import type { Budget } from '../../config/config.ts';
import type { RunState } from '../../run-state.ts';

/** Amounts are rounded to a millionth of a dollar, because 0.1 + 0.2 must not exceed 0.3. */
const PRECISION = 1e6;

function dollars(amount: number): number {
  return Math.round(amount * PRECISION) / PRECISION;
}

export function reservationFor(budget: Budget): number {
  return budget.per_turn_max_usd ?? 0;
}

function reservedTotal(state: RunState): number {
  return dollars(Object.values(state.budget_reservations).reduce((sum, usd) => sum + usd, 0));
}

export type BudgetVerdict = { readonly fits: true } | { readonly fits: false; readonly why: string };

export function mayReserve(state: RunState, budget: Budget): BudgetVerdict {
  const limit = budget.per_run_max_usd;
  if (limit === undefined || budget.on_exceed === 'warn') return { fits: true };
  const spent = state.budget_status.spent_usd;
  if (spent >= limit) return { fits: false, why: `All ${limit} USD of the run are spent.` };
  const wanted = reservationFor(budget);
  const taken = dollars(spent + reservedTotal(state));
  if (dollars(taken + wanted) <= limit) return { fits: true };
  return {
    fits: false,
    why: `A turn may cost ${wanted} USD, but only ${dollars(limit - taken)} USD are left.`,
  };
}

/** Releases the turn's reservation and adds its actual cost. */
export function settle(state: RunState, budget: Budget, turnId: string, costUsd: number): RunState {
  const { [turnId]: _released, ...reservations } = state.budget_reservations;
  const spent = dollars(state.budget_status.spent_usd + costUsd);
  const limit = budget.per_run_max_usd;
  return {
    ...state,
    budget_reservations: reservations,
    budget_status: { spent_usd: spent, remaining_usd: limit === undefined ? null : dollars(limit - spent) },
  };
}

export function isExhausted(state: RunState, budget: Budget): boolean {
  return budget.per_run_max_usd !== undefined && state.budget_status.spent_usd >= budget.per_run_max_usd;
}
