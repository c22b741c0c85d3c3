import { member } from '../../../../kernel/json/loose.ts';
import type { RunState } from '../../run-state.ts';
import type { Barriers, CoordinatorConfig, Workstream } from '../state.ts';
import type { CoordinatorSnapshot } from '../workspace.ts';
import { missingDecisions } from './barriers.ts';
import { isCounted } from './project.ts';

export type NextDispatch =
  | { readonly kind: 'dispatch'; readonly workstreamId: string; readonly repoId: string }
  | { readonly kind: 'none'; readonly reasons: IdleReasons };

/** Why each workstream of the phase cannot continue now. */
export type IdleReasons = readonly { readonly workstreamId: string; readonly reason: string }[];

/** The first workstream of the phase that can continue: its entry repository first, then the others in order. */
export function chooseDispatch(snapshot: CoordinatorSnapshot, phase: string): NextDispatch {
  const { config, barriers, repos } = snapshot;
  const reasons: { workstreamId: string; reason: string }[] = [];
  for (const [workstreamId, stream] of inEntryOrder(config, phase)) {
    const reason = (why: string) => reasons.push({ workstreamId, reason: why });
    if (stream.depends_on.some((id) => !isSatisfied(barriers, id))) {
      reason('dependency_pending');
      continue;
    }
    if (isSatisfied(barriers, workstreamId)) {
      reason('workstream_complete');
      continue;
    }
    const repoId = repoDue(snapshot, workstreamId, stream);
    if (repoId === undefined) {
      reason('barrier_blocked');
      continue;
    }
    const held = whyHeld(member(repos, repoId));
    if (held === undefined) return { kind: 'dispatch', workstreamId, repoId };
    reason(held);
  }
  return { kind: 'none', reasons };
}

/** A repository without an accepted turn for the workstream, else one that still owes a decision. */
function repoDue(
  snapshot: CoordinatorSnapshot,
  workstreamId: string,
  stream: Workstream,
): string | undefined {
  const counted = snapshot.history.filter(isCounted).filter((row) => row.workstream_id === workstreamId);
  const accepted = new Set(counted.map((row) => row.repo_id));
  const order = [stream.entry_repo, ...stream.repos.filter((repo) => repo !== stream.entry_repo)];
  const own = Object.values(snapshot.barriers).filter((barrier) => barrier.workstream_id === workstreamId);
  return (
    order.find((repo) => !accepted.has(repo)) ??
    order.find((repo) => own.some((barrier) => missingDecisions(barrier, repo, counted).length > 0))
  );
}

/** A repository whose run is complete takes another: its work for this workstream is not done. */
function whyHeld(repo: RunState | undefined): string | undefined {
  if (repo === undefined) return 'repo_state_missing';
  if (repo.status === 'blocked') return 'repo_blocked';
  if (repo.status === 'paused') return 'repo_pending_gate';
  return Object.keys(repo.active_turns).length > 0 ? 'repo_busy' : undefined;
}

function inEntryOrder(config: CoordinatorConfig, phase: string) {
  const entry = member(config.entryWorkstreams, phase);
  const own = Object.entries(config.workstreams).filter(([, stream]) => stream.phase === phase);
  return [...own.filter(([id]) => id === entry), ...own.filter(([id]) => id !== entry)];
}

function isSatisfied(barriers: Barriers, workstreamId: string): boolean {
  const own = Object.values(barriers).filter((barrier) => barrier.workstream_id === workstreamId);
  return own.length > 0 && own.every((barrier) => barrier.status === 'satisfied');
}
