import type { Micros } from '../../../../kernel/clock.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import type { GovernedConfig } from '../../config/config.ts';
import { done, illegalTransition, type Outcome, type Refusal } from '../../outcome.ts';
import type { RunState } from '../../run-state.ts';
import { mayReserve } from './budget.ts';
import { type Change, change, eventOf } from './change.ts';
import { nextCommand } from './next-command.ts';
import { timeoutsDue } from './timeouts.ts';

/** Resumes a run after a person has dealt with what blocked it. A pending gate is approved, never resumed past. */
export function resumeRun(state: RunState, by: string | undefined, now: Micros): Outcome<Change> {
  if (state.status !== 'blocked') {
    return illegalTransition(
      'run.resume',
      `Only a blocked run can be resumed; this one is ${state.status}.`,
      state.status === 'paused' ? 'Decide the gate: baton run approve' : `Continue: ${nextCommand(state)}`,
      'status',
    );
  }
  const gate = state.pending_phase_transition?.gate ?? state.pending_run_completion?.gate;
  if (gate !== undefined) {
    return illegalTransition(
      'run.resume_past_gate',
      `The gate "${gate}" is still pending.`,
      'Decide it: baton run approve',
      state.pending_phase_transition === null ? 'pending_run_completion' : 'pending_phase_transition',
    );
  }
  const next: RunState = {
    ...state,
    status: 'active',
    blocked_on: null,
    blocked_reason: null,
    escalation: null,
    active_turns: withSecondChance(state),
    // Resuming a phase that ran out of time restarts its clock.
    phase_entered_at: state.blocked_on === 'timeout:phase' ? formatMillis(now) : state.phase_entered_at,
  };
  const payload = { resolved: state.blocked_on, by: by ?? null };
  return done(
    change(next, {
      events: [
        eventOf(
          next,
          state.escalation === null ? 'human_escalation_resolved' : 'escalation_resolved',
          payload,
        ),
      ],
      ledger: [
        { decision: 'escalation_resolved', run_id: state.run_id, ...payload, created_at: formatMillis(now) },
      ],
    }),
  );
}

/** A turn that used up its attempts gets new ones: a person has looked at why. */
function withSecondChance(state: RunState): RunState['active_turns'] {
  return Object.fromEntries(
    Object.entries(state.active_turns).map(([id, turn]) => [
      id,
      turn.status === 'failed' ? { ...turn, status: 'retrying' as const, attempt: 1 } : turn,
    ]),
  );
}

/** A limit that is still exceeded would stop the run again at once: it must be raised first. */
export function standingLimit(state: RunState, config: GovernedConfig, now: Micros): Refusal | undefined {
  const { budget, timeouts } = config;
  const verdict = mayReserve(state, budget);
  if (state.blocked_on === 'budget:exhausted' && !verdict.fits) {
    return illegalTransition(
      'run.resume_without_budget',
      verdict.why,
      'Raise budget.per_run_max_usd in agentxchain.json first.',
      'budget.per_run_max_usd',
    ).refusal;
  }
  const overdue = timeoutsDue({ ...state, status: 'active' }, config, now).some((due) => due.scope === 'run');
  if (state.blocked_on !== 'timeout:run' || !overdue || timeouts.action === 'warn') return undefined;
  return illegalTransition(
    'run.resume_without_time',
    `The run has used up its ${timeouts.per_run_minutes} minutes.`,
    'Raise timeouts.per_run_minutes in agentxchain.json first.',
    'timeouts.per_run_minutes',
  ).refusal;
}
