/**
 * Every combination of a super-run with two repositories, three phases and four workstreams: what each repository is doing, what
 * has been accepted, which barriers hold. Not all of them can be reached, but none may be a dead end.
 */
import { describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../../kernel/json/loose.ts';
import { idleState, type RunState } from '../../run-state.ts';
import { activeTurn } from '../../testing.ts';
import type { Barriers, BarrierType, CoordinatorState } from '../state.ts';
import type { CoordinatorSnapshot } from '../workspace.ts';
import { chooseDispatch } from './assign.ts';
import { evaluateBarrier, initialBarriers } from './barriers.ts';
import { readCoordinatorConfig } from './config.ts';
import { gateBlockers } from './gates.ts';
import { nextOfMulti, openDispatch } from './next.ts';
import { isCounted } from './project.ts';

const PHASES = ['planning', 'implementation', 'qa'];
const stream = (phase: string, repos: string[], more: LooseRecord = {}) => ({
  phase,
  repos,
  entry_repo: repos[0],
  depends_on: [],
  completion_barrier: 'all_repos_accepted',
  ...more,
});
const configWith = (barrier: BarrierType) =>
  readCoordinatorConfig({
    project: { id: 'm', name: 'M' },
    repos: { api: { path: './api' }, web: { path: './web' } },
    workstreams: {
      plan: stream('planning', ['api', 'web']),
      backend: stream('implementation', ['api'], {
        completion_barrier: barrier,
        [barrier]: { decision_ids_by_repo: { api: ['DEC-101'] } },
      }),
      frontend: stream('implementation', ['web', 'api'], { depends_on: ['backend'] }),
      check: stream('qa', ['web']),
    },
    routing: Object.fromEntries(
      [
        ['planning', 'plan'],
        ['implementation', 'backend'],
        ['qa', 'check'],
      ].map(([phase, entry]) => [phase, { entry_workstream: entry }]),
    ),
  });

const run = (changes: Partial<RunState>): RunState => ({
  ...idleState('p', 'planning'),
  run_id: 'run_1',
  ...changes,
});
const busy = { turn_1: activeTurn() };

/** Everything that a repository may be doing. */
const REPOS: readonly (RunState | undefined)[] = [
  undefined,
  run({ status: 'idle', run_id: null }),
  ...PHASES.flatMap((phase) => [
    run({ status: 'active', phase }),
    run({ status: 'active', phase, active_turns: busy }),
    run({ status: 'active', phase, run_id: 'run_other' }),
    run({ status: 'blocked', phase, blocked_on: 'human:x' }),
    run({ status: 'blocked', phase, blocked_on: 'human:x', active_turns: busy }),
    run({ status: 'paused', phase, pending_run_completion: { gate: 'g' } }),
  ]),
  run({ status: 'completed', phase: 'qa' }),
];

const projection = (workstream: string, repo: string, decisions: readonly string[] = []): LooseRecord => ({
  type: 'acceptance_projection',
  workstream_id: workstream,
  repo_id: repo,
  repo_turn_id: 't',
  decisions,
});

/** What has been accepted so far, and the last dispatch. */
const HISTORIES: readonly (readonly LooseRecord[])[] = [
  [],
  [projection('plan', 'api')],
  [projection('plan', 'api'), projection('plan', 'web')],
  [{ ...projection('backend', 'api'), counted: false }],
  [projection('backend', 'api')],
  [projection('backend', 'api', ['DEC-101'])],
  [projection('backend', 'api', ['DEC-101']), projection('frontend', 'web')],
  [projection('backend', 'api', ['DEC-101']), projection('frontend', 'web'), projection('frontend', 'api')],
  [projection('check', 'web')],
].flatMap((rows) => [
  rows,
  ...['api', 'web'].map((repo) => [
    ...rows,
    { type: 'turn_dispatched', repo_id: repo, workstream_id: repo === 'api' ? 'backend' : 'frontend' },
  ]),
]);

function* places(): Generator<CoordinatorSnapshot> {
  const barrierTypes: BarrierType[] = [
    'all_repos_accepted',
    'named_decisions',
    'ordered_repo_sequence',
    'shared_human_gate',
  ];
  for (const barrier of barrierTypes) {
    const config = configWith(barrier);
    for (const history of HISTORIES) {
      const counted = history.filter(isCounted);
      const barriers = Object.fromEntries(
        Object.entries(initialBarriers(config)).map(([id, each]) => [
          id,
          evaluateBarrier(each, config.workstreams[each.workstream_id]?.entry_repo, counted),
        ]),
      ) as Barriers;
      for (const phase of PHASES)
        for (const api of REPOS)
          for (const web of REPOS) {
            const state = {
              schema_version: '0.1',
              super_run_id: 's',
              project_id: 'm',
              status: 'active',
              phase,
              repo_runs: {
                api: { run_id: 'run_1', status: 'active' },
                web: { run_id: 'run_1', status: 'active' },
              },
              pending_gate: null,
              phase_gate_status: {},
            } as CoordinatorState;
            yield { rawConfig: {}, config, state, barriers, history, repos: { api, web } };
          }
    }
  }
}

/** Whether the command does something in that place. */
function leadsOn(place: CoordinatorSnapshot, command: string): boolean {
  const state = place.state as CoordinatorState;
  if (command === 'baton multi step')
    return openDispatch(place) !== undefined || chooseDispatch(place, state.phase).kind === 'dispatch';
  if (command === 'baton multi gate') return gateBlockers(place, state).length === 0;
  const [, verb, repo = ''] = /^baton run (step|start) --dir \.\/(\w+)$/.exec(command) ?? [];
  return place.repos[repo]?.status === (verb === 'start' ? 'idle' : 'active');
}

describe('what comes next for several repositories, in every combination', () => {
  it('does something by itself, or names the reason why a person must', () => {
    const astray: unknown[] = [];
    let count = 0;
    for (const place of places()) {
      count += 1;
      const { command, person } = nextOfMulti(place);
      if (person === null ? leadsOn(place, command) : person !== '') continue;
      astray.push({ command, person, phase: place.state?.phase, ...place.repos });
    }
    expect(count).toBeGreaterThan(100_000);
    expect(astray.slice(0, 2)).toEqual([]);
  }, 120_000);
});
