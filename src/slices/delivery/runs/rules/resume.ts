import type { Micros } from '../../../../kernel/clock.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import { done, illegalTransition, type Outcome } from '../../outcome.ts';
import type { RunState } from '../../run-state.ts';
import { type Change, change, eventOf } from './change.ts';
import { nextCommand } from './next-command.ts';

/** A person has dealt with what blocked the run. A gate is not resumed past: it is approved. */
export function resumeRun(state: RunState, by: string | undefined, now: Micros): Outcome<Change> {
  if (state.status !== 'blocked') {
    return illegalTransition(
      'run.resume',
      `Only a blocked run is resumed; this one is ${state.status}.`,
      state.status === 'paused' ? 'Decide the gate: baton run approve' : `Go on: ${nextCommand(state)}`,
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
    // Whoever resumes a phase that took too long gives it its time again.
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

/** A turn that used up its attempts starts counting again: someone looked at why. */
function withSecondChance(state: RunState): RunState['active_turns'] {
  return Object.fromEntries(
    Object.entries(state.active_turns).map(([id, turn]) => [
      id,
      turn.status === 'failed' ? { ...turn, status: 'retrying' as const, attempt: 1 } : turn,
    ]),
  );
}
