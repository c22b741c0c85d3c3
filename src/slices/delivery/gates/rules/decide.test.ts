import { describe, expect, it } from 'vitest';
import { idleState, type RunState, type RunStatus } from '../../run-state.ts';
import { approveCompletion, approveTransition, declineAtGate, pendingGate } from './decide.ts';

const now = 1_772_355_600_000_000;
const alice = { by: 'alice', note: 'good' };
const transition = { gate: 'built', from: 'implementation', to: 'qa' };
const completion = { gate: 'ship' };

function waiting(status: RunStatus, pending: Partial<RunState>): RunState {
  return { ...idleState('demo', 'implementation'), run_id: 'run_1', status, ...pending };
}

const STATUSES: readonly RunStatus[] = ['idle', 'active', 'paused', 'blocked', 'completed', 'failed'];

describe.each([
  ['transition', approveTransition, { pending_phase_transition: transition }],
  ['completion', approveCompletion, { pending_run_completion: completion }],
  ['decline', declineAtGate, { pending_phase_transition: transition }],
] as const)('a gate (%s)', (_, decide, pending) => {
  it.each(STATUSES)('is decided only while the run waits: %s', (status) => {
    const stops = status === 'paused' || status === 'blocked';
    expect(decide(waiting(status, pending), alice, now).ok).toBe(stops);
    expect(decide(waiting(status, {}), alice, now).ok).toBe(false);
  });
});

describe('approving a gate', () => {
  it('moves the run into the next phase, unblocked, and records who did', () => {
    const state = waiting('blocked', { pending_phase_transition: transition, blocked_on: 'human' });
    const outcome = approveTransition(state, alice, now);
    if (!outcome.ok) throw new Error(outcome.refusal.message);
    expect(outcome.value.state).toMatchObject({
      status: 'active',
      phase: 'qa',
      blocked_on: null,
      pending_phase_transition: null,
      phase_gate_status: { built: 'passed' },
    });
    expect(outcome.value.ledger).toMatchObject([
      { decision: 'phase_transition_approved', phase: 'implementation', approved_by: 'alice', note: 'good' },
    ]);
  });

  it('completes the run at its last gate', () => {
    const outcome = approveCompletion(waiting('paused', { pending_run_completion: completion }), {}, now);
    if (!outcome.ok) throw new Error(outcome.refusal.message);
    expect(outcome.value.state).toMatchObject({ status: 'completed', phase_gate_status: { ship: 'passed' } });
    expect(outcome.value.ledger).toMatchObject([{ approved_by: null }]);
  });

  it('is about the gate that waits', () => {
    expect(pendingGate(waiting('paused', { pending_phase_transition: transition }))).toBe('built');
    expect(pendingGate(waiting('paused', { pending_run_completion: completion }))).toBe('ship');
    expect(pendingGate(waiting('active', {}))).toBeUndefined();
  });
});

describe('declining a gate', () => {
  it('keeps the run in its phase and says why', () => {
    const outcome = declineAtGate(waiting('paused', { pending_phase_transition: transition }), alice, now);
    if (!outcome.ok) throw new Error(outcome.refusal.message);
    expect(outcome.value.state).toMatchObject({
      status: 'active',
      phase: 'implementation',
      pending_phase_transition: null,
      phase_gate_status: { built: 'failed' },
      last_gate_failure: { gate: 'built', reasons: ['alice declined: good'] },
    });
  });
});
