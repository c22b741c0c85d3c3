import { member } from '../../../../kernel/json/loose.ts';
import type { RunState } from '../../run-state.ts';
import type { Barriers, CoordinatorConfig, CoordinatorState } from '../state.ts';

export interface GateBlocker {
  readonly code: string;
  readonly message: string;
}

export type RepoStates = Readonly<Record<string, RunState | undefined>>;

/** What keeps the super-run in its phase. */
export function phaseGateBlockers(
  config: CoordinatorConfig,
  state: CoordinatorState,
  barriers: Barriers,
  repos: RepoStates,
  target?: string,
): readonly GateBlocker[] {
  const next = config.phases[config.phases.indexOf(state.phase) + 1];
  const blockers: GateBlocker[] = [];
  if (next === undefined)
    blockers.push({ code: 'no_next_phase', message: `"${state.phase}" is the last phase.` });
  else if (target !== undefined && target !== next) {
    blockers.push({
      code: 'phase_skip_forbidden',
      message: `After "${state.phase}" comes "${next}", not "${target}".`,
    });
  }
  return [...blockers, ...repoBlockers(config, state, repos), ...barrierBlockers(config, state, barriers)];
}

export function completionBlockers(
  config: CoordinatorConfig,
  state: CoordinatorState,
  barriers: Barriers,
  repos: RepoStates,
): readonly GateBlocker[] {
  const blockers: GateBlocker[] = [];
  if (state.phase !== config.phases.at(-1)) {
    blockers.push({ code: 'not_final_phase', message: `"${state.phase}" is not the last phase.` });
  }
  const last = config.phases.at(-1);
  for (const [id, repo] of Object.entries(repos)) {
    if (repo === undefined || repo.status === 'completed' || repo.phase === last) continue;
    blockers.push({
      code: 'repo_not_completion_ready',
      message: `"${id}" is still in phase "${repo.phase}".`,
    });
  }
  return [...blockers, ...repoBlockers(config, state, repos), ...barrierBlockers(config, state, barriers)];
}

function repoBlockers(config: CoordinatorConfig, state: CoordinatorState, repos: RepoStates): GateBlocker[] {
  return Object.keys(config.repos).flatMap((id) => {
    const repo = member(repos, id);
    if (repo === undefined) return [{ code: 'repo_state_missing', message: `"${id}" has no run state.` }];
    const expected = member(state.repo_runs, id)?.run_id;
    if (expected !== undefined && repo.run_id !== expected) {
      return [
        { code: 'repo_run_id_mismatch', message: `"${id}" runs ${repo.run_id}, expected ${expected}.` },
      ];
    }
    if (repo.status === 'blocked')
      return [{ code: 'repo_blocked', message: `"${id}" is blocked on ${repo.blocked_on}.` }];
    if (Object.keys(repo.active_turns).length > 0) {
      return [{ code: 'repo_active_turns', message: `"${id}" has turns in progress.` }];
    }
    const pending = repo.pending_phase_transition !== null || repo.pending_run_completion !== null;
    return pending ? [{ code: 'repo_pending_gate', message: `"${id}" is waiting at its own gate.` }] : [];
  });
}

/** A shared human gate does not block here: approving the gate satisfies it. */
function barrierBlockers(
  config: CoordinatorConfig,
  state: CoordinatorState,
  barriers: Barriers,
): GateBlocker[] {
  return Object.entries(config.workstreams)
    .filter(([, stream]) => stream.phase === state.phase)
    .flatMap(([id, stream]) => {
      const own = Object.entries(barriers).filter(([, barrier]) => barrier.workstream_id === id);
      if (own.length === 0)
        return [{ code: 'barrier_missing', message: `Workstream "${id}" has no barrier.` }];
      return own
        .filter(([, barrier]) => barrier.status !== 'satisfied' && !awaitsOnlyPerson(barrier, stream.repos))
        .map(([name, barrier]) => ({
          code: 'barrier_unsatisfied',
          message: `Barrier "${name}" is ${barrier.status}.`,
        }));
    });
}

function awaitsOnlyPerson(barrier: Barriers[string], repos: readonly string[]): boolean {
  return (
    barrier.type === 'shared_human_gate' && repos.every((repo) => barrier.satisfied_repos.includes(repo))
  );
}
