import type { Micros } from '../../../../kernel/clock.ts';
import type { GovernedConfig } from '../../config/config.ts';
import { illegalTransition, type Refusal } from '../../outcome.ts';
import type { RunState } from '../../run-state.ts';
import { isExhausted } from './budget.ts';
import { timeoutsDue } from './timeouts.ts';

/** A limit that still holds would stop the run again at once: it has to be raised first. */
export function standingLimit(state: RunState, config: GovernedConfig, now: Micros): Refusal | undefined {
  const { budget, timeouts } = config;
  if (state.blocked_on === 'budget:exhausted' && isExhausted(state, budget) && budget.on_exceed !== 'warn') {
    return illegalTransition(
      'run.resume_without_budget',
      `${state.budget_status.spent_usd} of ${budget.per_run_max_usd} USD are spent.`,
      'Raise budget.per_run_max_usd in agentxchain.json first.',
      'budget.per_run_max_usd',
    ).refusal;
  }
  const overdue = timeoutsDue({ ...state, status: 'active' }, config, now).some((due) => due.scope === 'run');
  if (state.blocked_on !== 'timeout:run' || !overdue || timeouts.action === 'warn') return undefined;
  return illegalTransition(
    'run.resume_without_time',
    `The run may last ${timeouts.per_run_minutes} minutes, and they are over.`,
    'Raise timeouts.per_run_minutes in agentxchain.json first.',
    'timeouts.per_run_minutes',
  ).refusal;
}
