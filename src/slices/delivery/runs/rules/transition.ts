import type { Micros } from '../../../../kernel/clock.ts';
import { done, illegalTransition, type Outcome, refuse } from '../../outcome.ts';
import type { PendingTransition, RunState, RunStatus } from '../../run-state.ts';
import { type Change, change, eventOf } from './change.ts';
import { escalate } from './escalate.ts';

export type Trigger =
  | { readonly trigger: 'gate_requires_human_approval'; readonly gate: PendingTransition }
  | { readonly trigger: 'escalation'; readonly reason: string; readonly roleId: string }
  | { readonly target: RunStatus; readonly overrides?: Readonly<Record<string, unknown>> };

/** Every transition has a trigger; a status is never just set, and the id of a run never changes. */
export function transition(state: RunState, input: Trigger, now: Micros): Outcome<Change> {
  if ('target' in input) return directMove(state, input.target, input.overrides ?? {});
  if (input.trigger === 'escalation') {
    return escalate(state, { reason: input.reason, roleId: input.roleId }, now);
  }
  if (state.status !== 'active') {
    return illegalTransition(
      'run.pause',
      `Only an active run pauses at a gate; this one is ${state.status}.`,
      'See: baton run status',
      'status',
    );
  }
  const next = pausedAtTransition(state, input.gate);
  return done(change(next, { events: [eventOf(next, 'gate_pending', { ...input.gate })] }));
}

export function pausedAtTransition(state: RunState, pending: PendingTransition): RunState {
  return {
    ...state,
    status: 'paused',
    pending_phase_transition: pending,
    blocked_on: `human_approval:${pending.gate}`,
    phase_gate_status: { ...state.phase_gate_status, [pending.gate]: 'pending' },
  };
}

function directMove(
  state: RunState,
  target: RunStatus,
  overrides: Readonly<Record<string, unknown>>,
): Outcome<Change> {
  if ('run_id' in overrides && overrides.run_id !== state.run_id) {
    return refuse({
      type: 'immutable_field',
      rule: 'run.id_is_immutable',
      field: 'run_id',
      message: 'The id of a run cannot change.',
      next: 'Start another run instead: baton run start',
    });
  }
  if (target === state.status) return done(change(state));
  return illegalTransition(
    'run.no_direct_jump',
    `A run cannot go from ${state.status} to ${target} directly.`,
    'Use the command that causes it: start, approve, resume or escalate.',
    'status',
  );
}
