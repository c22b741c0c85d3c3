import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../../kernel/instant.ts';
import { readConfig } from '../../config/rules/read.ts';
import { type ActiveTurn, idleState, type RunState } from '../../run-state.ts';
import { activeTurn } from '../../testing.ts';
import { chooseRole } from './choose-role.ts';
import { nextCommand } from './next-command.ts';
import { applyTimeout, timeoutsDue } from './timeouts.ts';

const config = readConfig({
  roles: { pm: {}, dev: {}, qa: {} },
  routing: {
    implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'qa'] },
    qa: { allowed_next_roles: ['qa'] },
  },
  timeouts: { per_phase_minutes: 60, per_run_minutes: 600, action: 'escalate' },
});
const state: RunState = {
  ...idleState('p', 'implementation'),
  status: 'active',
  run_id: 'run_1',
  created_at: '2026-01-01T00:00:00.000Z',
  phase_entered_at: '2026-01-01T00:00:00.000Z',
};
const turn = activeTurn({ deadline_at: '2026-01-01T00:30:00.000Z' });
const at = (text: string) => parseInstant(text)?.micros ?? 0;

describe('whose turn it is', () => {
  const pending = {
    delegation_id: 'del-001',
    parent_turn_id: 't',
    parent_role: 'pm',
    to_role: 'qa',
    charter: 'c',
    acceptance_contract: ['x'],
    required_decision_ids: [],
    status: 'pending' as const,
    child_turn_id: null,
  };
  const review = { parent_turn_id: 't', parent_role: 'pm', delegations: [] };

  it.each([
    ['who was recommended, if the phase allows it', { next_recommended_role: 'qa' }, 'qa', 'recommended'],
    [
      'the entry role, when the recommended one may not work here',
      { next_recommended_role: 'pm' },
      'dev',
      'entry_role',
    ],
    ['the first role, where the phase names no entry', { phase: 'qa' }, 'pm', 'first_role'],
    [
      'a delegated role before a recommended one',
      { next_recommended_role: 'dev', delegation_queue: [pending] },
      'qa',
      'delegation',
    ],
    [
      'a parent who has delegations to judge, before all others',
      { delegation_queue: [pending], pending_delegation_review: review },
      'pm',
      'delegation_review',
    ],
  ])('is %s', (_what, change, role, because) => {
    expect(chooseRole({ ...state, ...change }, config)).toMatchObject({ role, because });
  });

  it('is whoever the operator names, who is told whom that passes over', () => {
    const choice = chooseRole({ ...state, delegation_queue: [pending] }, config, 'dev');
    expect(choice).toMatchObject({
      role: 'dev',
      because: 'override',
      warning: expect.stringContaining('"qa"'),
    });
  });
});

describe('the one next command', () => {
  const withTurn = (status: ActiveTurn['status']) => ({
    ...state,
    active_turns: { turn_1: { ...turn, status } },
  });

  it.each([
    ['an idle run', { ...state, status: 'idle' as const }, 'baton run start'],
    ['a run without a turn', state, 'baton run step'],
    ['a turn that was refused', withTurn('failed_acceptance'), 'baton run reject --turn turn_1'],
    ['a turn in conflict', withTurn('conflicted'), 'baton run reject --turn turn_1 --reassign'],
    ['a run at a gate', { ...state, status: 'paused' as const }, 'baton run approve'],
    ['a blocked run without a reason', { ...state, status: 'blocked' as const }, 'baton run resume'],
    ['a completed run', { ...state, status: 'completed' as const }, 'baton run report'],
  ])('of %s', (_what, given, command) => {
    expect(nextCommand(given)).toBe(command);
  });

  it('accepts a result that lies ready', () => {
    expect(nextCommand(withTurn('running'), new Set(['turn_1']))).toBe('baton run accept --turn turn_1');
  });
});

describe('what takes too long', () => {
  it('is found by run, phase and turn, and only after its time', () => {
    const busy = { ...state, active_turns: { turn_1: turn } };
    expect(timeoutsDue(busy, config, at('2026-01-01T00:30:00Z'))).toEqual([]);
    expect(timeoutsDue(busy, config, at('2026-01-01T00:31:00Z')).map((due) => due.scope)).toEqual(['turn']);
    expect(timeoutsDue(busy, config, at('2026-01-02T00:00:00Z')).map((due) => due.scope)).toEqual([
      'run',
      'phase',
      'turn',
    ]);
  });

  it('blocks the run, warns, or skips the phase, as the config says', () => {
    const late = at('2026-01-01T02:00:00Z');
    expect(applyTimeout(state, config, late)?.state).toMatchObject({
      status: 'blocked',
      blocked_on: 'timeout:phase',
    });
    const warn = { ...config, timeouts: { ...config.timeouts, action: 'warn' as const } };
    expect(applyTimeout(state, warn, late)).toMatchObject({
      state,
      warnings: [expect.stringContaining('60 minutes')],
    });
    const skip = { ...config, timeouts: { ...config.timeouts, action: 'skip_phase' as const } };
    expect(applyTimeout(state, skip, late)?.state).toMatchObject({ status: 'active', phase: 'qa' });
    expect(applyTimeout({ ...state, phase: 'qa' }, skip, late)?.state.status).toBe('blocked');
  });

  it('does not disturb a run that waits for a person', () => {
    expect(applyTimeout({ ...state, status: 'paused' }, config, at('2027-01-01T00:00:00Z'))).toBeUndefined();
  });
});
