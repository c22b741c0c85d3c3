/** What the server answers about a repository and its run, from what it knows of them. */
import type { RunStatusReport } from '../runs/status.ts';
import type { AttachedRepository } from './store.ts';

export function repositoryBody(repository: AttachedRepository) {
  return {
    id: repository.repositoryId,
    project_id: repository.projectId,
    root: repository.root,
    attached_at: repository.attachedAt,
    attached_by: repository.attachedBy,
    events_seen: repository.eventsSeen,
  };
}

export function runBody(repository: AttachedRepository, report: RunStatusReport) {
  const { state, gate } = report;
  return {
    repository_id: repository.repositoryId,
    project_id: repository.projectId,
    run_id: state.run_id,
    status: state.status,
    phase: state.phase,
    phases: [...report.phases],
    blocked_on: state.blocked_on,
    accepted_turns: report.acceptedTurns,
    active_turns: report.turns.map((turn) => ({ ...turn }) as Record<string, unknown>),
    gate: gate && {
      name: gate.name,
      passes_now: gate.reasons.length === 0,
      requires_human_approval: gate.requiresHumanApproval,
      reasons: [...gate.reasons],
    },
    next_role: report.nextRole,
    next: report.next,
  };
}
