import type { Micros } from '../../../../kernel/clock.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import { done, illegalTransition, type Outcome } from '../../outcome.ts';
import type { RunState } from '../../run-state.ts';
import { type Change, change, eventOf } from '../../runs/rules/change.ts';
import type { Approval } from './approve.ts';

/** A person says no at a gate: the run stays in its phase and works on, told why. */
export function declineAtGate(state: RunState, said: Approval, now: Micros): Outcome<Change> {
  const gate = state.pending_phase_transition?.gate ?? state.pending_run_completion?.gate;
  if ((state.status !== 'paused' && state.status !== 'blocked') || gate === undefined) {
    return illegalTransition(
      'run.decline',
      'No gate waits for a decision.',
      'See: baton run status',
      'status',
    );
  }
  const at = formatMillis(now);
  const reasons = [`${said.by ?? 'An operator'} declined: ${said.note ?? 'no reason given'}`];
  const next: RunState = {
    ...state,
    status: 'active',
    blocked_on: null,
    blocked_reason: null,
    pending_phase_transition: null,
    pending_run_completion: null,
    phase_gate_status: { ...state.phase_gate_status, [gate]: 'failed' },
    last_gate_failure: { gate, phase: state.phase, reasons, failed_at: at },
  };
  return done(
    change(next, {
      events: [eventOf(next, 'gate_failed', { gate, reasons })],
      ledger: [
        {
          decision: 'gate_declined',
          run_id: state.run_id,
          gate,
          declined_by: said.by ?? null,
          note: said.note ?? null,
          created_at: at,
        },
      ],
    }),
  );
}
