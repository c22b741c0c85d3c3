import { member } from '../../../../kernel/json/loose.ts';
import type { Barriers, CoordinatorConfig } from '../state.ts';
import type { CoordinatorSnapshot } from '../workspace.ts';
import { isProjection } from './project.ts';

export type NextDispatch =
  | { readonly kind: 'dispatch'; readonly workstreamId: string; readonly repoId: string }
  | { readonly kind: 'none'; readonly reasons: IdleReasons };

/** Why each workstream of the phase cannot continue now. */
export type IdleReasons = readonly { readonly workstreamId: string; readonly reason: string }[];

/** The first workstream of the phase that can continue: its entry repository first, then the others in order. */
export function chooseDispatch(snapshot: CoordinatorSnapshot, phase: string): NextDispatch {
  const { config, barriers, history, repos } = snapshot;
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
    const accepted = new Set(
      history
        .filter(isProjection)
        .filter((row) => row.workstream_id === workstreamId)
        .map((row) => row.repo_id),
    );
    const order = [stream.entry_repo, ...stream.repos.filter((repo) => repo !== stream.entry_repo)];
    const repoId = order.find((repo) => !accepted.has(repo));
    if (repoId === undefined) {
      reason('barrier_blocked');
      continue;
    }
    const repo = member(repos, repoId);
    if (repo?.status === 'blocked') reason('repo_blocked');
    else if (repo === undefined || Object.keys(repo.active_turns).length > 0) reason('repo_busy');
    else return { kind: 'dispatch', workstreamId, repoId };
  }
  return { kind: 'none', reasons };
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
