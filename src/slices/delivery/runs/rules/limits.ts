import type { Micros } from '../../../../kernel/clock.ts';
import type { GovernedConfig } from '../../config/config.ts';
import type { RunState } from '../../run-state.ts';
import { mayReserve } from './budget.ts';
import { blocked, type Change, change, eventOf } from './change.ts';
import { applyTimeout } from './timeouts.ts';

/** What the limits of the config do to a run now: time first, then money. Undefined if it is within all of them. */
export function applyLimits(state: RunState, config: GovernedConfig, now: Micros): Change | undefined {
  const late = applyTimeout(state, config, now);
  if (late !== undefined && late.state !== state) return late;
  return outOfBudget(state, config, now) ?? late;
}

/** A run whose next turn no longer fits stops for a person: it would be refused each time it is tried. */
function outOfBudget(state: RunState, config: GovernedConfig, now: Micros): Change | undefined {
  if (state.status !== 'active' || Object.keys(state.active_turns).length > 0) return undefined;
  const verdict = mayReserve(state, config.budget);
  if (verdict.fits) return undefined;
  const detail = `${verdict.why} Raise budget.per_run_max_usd in agentxchain.json, then resume.`;
  const held = blocked(
    state,
    {
      blockedOn: 'budget:exhausted',
      category: 'budget',
      typedReason: 'budget_exhausted',
      detail,
      recoveryAction: 'baton run resume',
    },
    now,
  );
  const spent = { spent_usd: state.budget_status.spent_usd, limit_usd: config.budget.per_run_max_usd };
  return change(held, {
    events: [eventOf(held, 'run_blocked', { blocked_on: held.blocked_on, detail, ...spent })],
  });
}
