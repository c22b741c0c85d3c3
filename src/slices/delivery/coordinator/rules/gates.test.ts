import { describe, expect, it } from 'vitest';
import { idleState, type RunState } from '../../run-state.ts';
import { activeTurn } from '../../testing.ts';
import type { Barrier, CoordinatorState } from '../state.ts';
import type { CoordinatorSnapshot } from '../workspace.ts';
import { gateBlockers } from './gates.ts';

const repo = (changes: Partial<RunState> = {}): RunState => ({
  ...idleState('demo', 'ship'),
  run_id: 'run_web',
  status: 'active',
  ...changes,
});
const met: Barrier = {
  type: 'all_repos_accepted',
  workstream_id: 'api',
  status: 'satisfied',
  required_repos: ['web'],
  satisfied_repos: ['web'],
};

function codes(
  web: RunState | undefined,
  { phase = 'ship', barrier = met }: { phase?: string; barrier?: Barrier | null } = {},
): string[] {
  const snapshot: CoordinatorSnapshot = {
    rawConfig: {},
    config: {
      project: { id: 'demo', name: 'Demo' },
      repos: { web: { path: 'web', required: true } },
      workstreams: {
        api: {
          phase: 'ship',
          repos: ['web'],
          entry_repo: 'web',
          depends_on: [],
          completion_barrier: 'all_repos_accepted',
          decisionIdsByRepo: {},
        },
      },
      phases: ['build', 'ship'],
      entryWorkstreams: {},
      gates: {},
    },
    state: null,
    barriers: barrier === null ? {} : { api_completion: barrier },
    history: [],
    repos: { web },
  };
  const state: CoordinatorState = {
    schema_version: '0.1',
    super_run_id: 'srun_1',
    project_id: 'demo',
    status: 'active',
    phase,
    repo_runs: { web: { run_id: 'run_web', status: 'active' } },
    pending_gate: null,
    phase_gate_status: {},
  };
  return gateBlockers(snapshot, state).map(({ code }) => code);
}

describe('a gate over repositories', () => {
  it('opens when every repository and barrier is ready', () => {
    expect(codes(repo())).toEqual([]);
  });

  it.each([
    ['repo_state_missing', undefined],
    ['repo_run_id_mismatch', repo({ run_id: 'run_other' })],
    ['repo_blocked', repo({ status: 'blocked', blocked_on: 'human' })],
    ['repo_active_turns', repo({ active_turns: { turn_1: activeTurn() } })],
    ['repo_pending_gate', repo({ pending_run_completion: { gate: 'ship' } })],
    ['repo_pending_gate', repo({ pending_phase_transition: { gate: 'x', from: 'build', to: 'ship' } })],
  ])('is held by %s', (code, web) => {
    expect(codes(web)).toEqual([code]);
  });

  it('ends no super-run while a repository is behind, unless that one is done', () => {
    expect(codes(repo({ phase: 'build' }))).toEqual(['repo_not_completion_ready']);
    expect(codes(repo({ phase: 'build', status: 'completed' }))).toEqual([]);
    expect(codes(repo({ phase: 'build' }), { phase: 'build' })).toEqual([]);
  });

  it('waits for the barriers of its own phase', () => {
    const unmet: Barrier = { ...met, status: 'pending' };
    expect(codes(repo(), { barrier: unmet })).toEqual(['barrier_unsatisfied']);
    expect(codes(repo(), { barrier: null })).toEqual(['barrier_missing']);
    expect(codes(repo(), { barrier: unmet, phase: 'build' })).toEqual([]);
    const person: Barrier = { ...unmet, type: 'shared_human_gate' };
    expect(codes(repo(), { barrier: person })).toEqual([]);
    expect(codes(repo(), { barrier: { ...person, satisfied_repos: [] } })).toEqual(['barrier_unsatisfied']);
  });
});
