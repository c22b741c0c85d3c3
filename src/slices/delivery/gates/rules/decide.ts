import type { Micros } from '../../../../kernel/clock.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import { done, illegalTransition, type Outcome } from '../../outcome.ts';
import type { RunState } from '../../run-state.ts';
import { type Change, change, eventOf } from '../../runs/rules/change.ts';
import { nextCommand } from '../../runs/rules/next-command.ts';

export interface Approval {
  readonly by?: string;
  readonly note?: string;
}

/** The gate that a run waits at. */
export function pendingGate(state: RunState): string | undefined {
  return state.pending_phase_transition?.gate ?? state.pending_run_completion?.gate;
}

export function approveTransition(state: RunState, approval: Approval, now: Micros): Outcome<Change> {
  const pending = state.pending_phase_transition;
  if (!mayApprove(state) || pending === null) return nothingPending(state, 'phase transition');
  const next = enterPhase(
    { ...unblocked(state), phase_gate_status: { ...state.phase_gate_status, [pending.gate]: 'passed' } },
    pending.to,
    now,
  );
  return done(
    change(next, {
      events: [
        eventOf(next, 'gate_approved', {
          gate: pending.gate,
          from: pending.from,
          to: pending.to,
          ...decidedBy(approval),
        }),
        eventOf(next, 'phase_entered', { from: pending.from, to: pending.to }),
      ],
      ledger: [approvalRow(state, 'phase_transition_approved', pending.gate, approval, now)],
    }),
  );
}

export function approveCompletion(state: RunState, approval: Approval, now: Micros): Outcome<Change> {
  const pending = state.pending_run_completion;
  if (!mayApprove(state) || pending === null) return nothingPending(state, 'run completion');
  const next = completed(
    { ...unblocked(state), phase_gate_status: { ...state.phase_gate_status, [pending.gate]: 'passed' } },
    now,
  );
  return done(
    change(next, {
      events: [
        eventOf(next, 'gate_approved', { gate: pending.gate, ...decidedBy(approval) }),
        eventOf(next, 'run_completed', { gate: pending.gate }),
      ],
      ledger: [approvalRow(state, 'run_completion_approved', pending.gate, approval, now)],
    }),
  );
}

export function enterPhase(state: RunState, phase: string, now: Micros): RunState {
  return {
    ...state,
    phase,
    phase_entered_at: formatMillis(now),
    pending_phase_transition: null,
    queued_phase_transition: null,
    last_gate_failure: null,
    next_recommended_role: null,
  };
}

export function completed(state: RunState, now: Micros): RunState {
  return {
    ...state,
    status: 'completed',
    completed_at: formatMillis(now),
    pending_run_completion: null,
    queued_run_completion: null,
    last_gate_failure: null,
    next_recommended_role: null,
  };
}

function mayApprove(state: RunState): boolean {
  return state.status === 'paused' || state.status === 'blocked';
}

function unblocked(state: RunState): RunState {
  return { ...state, status: 'active', blocked_on: null, blocked_reason: null, escalation: null };
}

function nothingPending(state: RunState, what: string) {
  return illegalTransition(
    'run.approve',
    `No ${what} is waiting for approval; the run is ${state.status}.`,
    `Continue: ${nextCommand(state)}`,
    'status',
  );
}

function decidedBy(approval: Approval) {
  return { approved_by: approval.by ?? null, note: approval.note ?? null };
}

function approvalRow(state: RunState, decision: string, gate: string, approval: Approval, now: Micros) {
  return {
    decision,
    run_id: state.run_id,
    gate,
    phase: state.phase,
    ...decidedBy(approval),
    created_at: formatMillis(now),
  };
}

/** A person declines a gate: the run stays in its phase, and the next turn is told why. */
export function declineAtGate(state: RunState, approval: Approval, now: Micros): Outcome<Change> {
  const gate = pendingGate(state);
  if (!mayApprove(state) || gate === undefined) {
    return illegalTransition(
      'run.decline',
      'No gate is waiting for a decision.',
      'See: baton run status',
      'status',
    );
  }
  const at = formatMillis(now);
  const reasons = [`${approval.by ?? 'An operator'} declined: ${approval.note ?? 'no reason given'}`];
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
          declined_by: approval.by ?? null,
          note: approval.note ?? null,
          created_at: at,
        },
      ],
    }),
  );
}
