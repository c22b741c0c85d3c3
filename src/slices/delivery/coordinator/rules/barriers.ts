import { asRecord, isString, member } from '../../../../kernel/json/loose.ts';
import type { Barrier, BarrierStatus, Barriers, CoordinatorConfig, Projection } from '../state.ts';

/** One barrier per workstream, all pending. */
export function initialBarriers(config: CoordinatorConfig): Barriers {
  return Object.fromEntries(
    Object.entries(config.workstreams).map(([id, stream]) => [
      `${id}_completion`,
      {
        type: stream.completion_barrier,
        workstream_id: id,
        status: 'pending',
        required_repos: stream.repos.filter((repo) => member(config.repos, repo)?.required !== false),
        satisfied_repos: [],
        ...(Object.keys(stream.decisionIdsByRepo).length > 0
          ? { required_decision_ids_by_repo: stream.decisionIdsByRepo }
          : {}),
      },
    ]),
  );
}

/** The status of a barrier, given what its repositories have accepted. Once satisfied, it stays satisfied. */
export function evaluateBarrier(
  barrier: Barrier,
  entryRepo: string | undefined,
  projections: readonly Projection[],
): Barrier {
  if (barrier.status === 'satisfied') return barrier;
  const own = projections.filter((projection) => projection.workstream_id === barrier.workstream_id);
  const required = barrier.required_repos ?? [];
  const accepted = new Set([
    ...own.map((projection) => projection.repo_id),
    ...(barrier.satisfied_repos ?? []),
  ]);
  const satisfiedRepos = required.filter((repo) => accepted.has(repo));
  return { ...barrier, satisfied_repos: satisfiedRepos, status: statusOf(barrier, entryRepo, own, accepted) };
}

function statusOf(
  barrier: Barrier,
  entryRepo: string | undefined,
  own: readonly Projection[],
  accepted: ReadonlySet<string>,
): BarrierStatus {
  const required = barrier.required_repos ?? [];
  const any = required.some((repo) => accepted.has(repo));
  switch (barrier.type) {
    case 'all_repos_accepted':
      if (required.every((repo) => accepted.has(repo))) return 'satisfied';
      return any ? 'partially_satisfied' : 'pending';
    case 'ordered_repo_sequence':
      if (entryRepo !== undefined && accepted.has(entryRepo)) return 'satisfied';
      return any ? 'partially_satisfied' : 'pending';
    case 'interface_alignment':
    case 'named_decisions':
      if (required.every((repo) => holdsDecisions(barrier, repo, own))) return 'satisfied';
      return any ? 'partially_satisfied' : 'pending';
    case 'shared_human_gate':
      // Only a person can satisfy it, however many repositories have accepted.
      return barrier.status;
  }
}

function holdsDecisions(barrier: Barrier, repo: string, own: readonly Projection[]): boolean {
  const heard = own.some((projection) => projection.repo_id === repo);
  return heard && missingDecisions(barrier, repo, own).length === 0;
}

/** The decisions that a barrier still waits for in one repository. */
export function missingDecisions(
  barrier: Barrier,
  repo: string,
  own: readonly Projection[],
): readonly string[] {
  const byRepo = barrier.required_decision_ids_by_repo ?? barrier.alignment_decision_ids ?? {};
  const accepted = own.filter((projection) => projection.repo_id === repo);
  const taken = new Set(accepted.flatMap((projection) => (projection.decisions ?? []).map(decisionId)));
  return (member(byRepo, repo) ?? []).filter((id) => !taken.has(id));
}

/** Older projections list decisions as bare ids. */
function decisionId(decision: unknown): unknown {
  return isString(decision) ? decision : asRecord(decision).id;
}
