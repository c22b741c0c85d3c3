import { member } from '../../../../kernel/json/loose.ts';
import type { Barrier, CoordinatorState } from '../state.ts';
import type { CoordinatorSnapshot } from '../workspace.ts';

export interface GateBlocker {
  readonly code: string;
  readonly message: string;
  /** The repository that it is about, if it is about one. */
  readonly repo?: string;
}

/** What keeps the super-run in its phase; in the last one, what keeps it from ending. */
export function gateBlockers(snapshot: CoordinatorSnapshot, state: CoordinatorState): readonly GateBlocker[] {
  const last = snapshot.config.phases.at(-1);
  const behind =
    state.phase !== last
      ? []
      : Object.entries(snapshot.repos).flatMap(([id, repo]) => {
          if (repo === undefined || repo.status === 'completed' || repo.phase === last) return [];
          const message = `"${id}" is still in phase "${repo.phase}".`;
          return [{ code: 'repo_not_completion_ready', message, repo: id }];
        });
  return [...behind, ...repoBlockers(snapshot, state), ...barrierBlockers(snapshot, state)];
}

function repoBlockers({ config, repos }: CoordinatorSnapshot, state: CoordinatorState): GateBlocker[] {
  return Object.keys(config.repos).flatMap((id) => {
    const repo = member(repos, id);
    if (repo === undefined)
      return [{ code: 'repo_state_missing', message: `"${id}" has no run state.`, repo: id }];
    const expected = member(state.repo_runs, id)?.run_id;
    if (expected !== undefined && repo.run_id !== expected) {
      return [
        {
          code: 'repo_run_id_mismatch',
          message: `"${id}" runs ${repo.run_id}, expected ${expected}.`,
          repo: id,
        },
      ];
    }
    if (repo.status === 'blocked')
      return [{ code: 'repo_blocked', message: `"${id}" is blocked on ${repo.blocked_on}.`, repo: id }];
    if (Object.keys(repo.active_turns).length > 0) {
      return [{ code: 'repo_active_turns', message: `"${id}" has turns in progress.`, repo: id }];
    }
    const pending = repo.pending_phase_transition !== null || repo.pending_run_completion !== null;
    return pending
      ? [{ code: 'repo_pending_gate', message: `"${id}" is waiting at its own gate.`, repo: id }]
      : [];
  });
}

/** A shared human gate does not block here: approving the gate satisfies it. */
function barrierBlockers({ config, barriers }: CoordinatorSnapshot, state: CoordinatorState): GateBlocker[] {
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

function awaitsOnlyPerson(barrier: Barrier, repos: readonly string[]): boolean {
  return (
    barrier.type === 'shared_human_gate' && repos.every((repo) => barrier.satisfied_repos.includes(repo))
  );
}
