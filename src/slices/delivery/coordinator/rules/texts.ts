import { asList, asRecord, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { cited, inline, named } from '../../../../kernel/quoted.ts';
import { bulleted, MOST } from '../../turns/rules/bundle.ts';
import type { CoordinatorState } from '../state.ts';
import type { CoordinatorSnapshot } from '../workspace.ts';
import { isProjection } from './project.ts';

/** What the agent of one repository learns about the others. */
export function coordinatorContext(
  { config, barriers, history }: CoordinatorSnapshot,
  state: CoordinatorState,
  { workstreamId, repoId }: { readonly workstreamId: string; readonly repoId: string },
): LooseRecord {
  const stream = config.workstreams[workstreamId];
  const relevant = new Set([workstreamId, ...(stream?.depends_on ?? [])]);
  return {
    schema_version: '0.1',
    super_run_id: state.super_run_id,
    phase: state.phase,
    workstream_id: workstreamId,
    repo_id: repoId,
    required_decision_ids: stream?.decisionIdsByRepo[repoId] ?? [],
    barriers: Object.entries(barriers)
      .filter(([, barrier]) => relevant.has(barrier.workstream_id))
      .map(([id, barrier]) => ({ id, type: barrier.type, status: barrier.status })),
    accepted_elsewhere: history
      .filter(isProjection)
      .filter((row) => relevant.has(row.workstream_id) && row.repo_id !== repoId)
      .map((row) => ({
        repo_id: row.repo_id,
        projection_ref: row.projection_ref,
        summary: row.summary,
        files_changed: row.files_changed,
        decisions: row.decisions,
      })),
  };
}

export function coordinatorContextText(context: LooseRecord): string {
  const others = asList(context.accepted_elsewhere).map((raw) => {
    const row = asRecord(raw);
    return `${named(String(row.repo_id))}: ${cited(String(row.summary ?? ''), MOST)} (${asList(
      row.files_changed,
    )
      .map((path) => named(String(path)))
      .join(', ')})`;
  });
  const asked = asList(context.required_decision_ids).map((id) => named(String(id)));
  const sections = [
    '# Coordinator context',
    `Super-run ${named(String(context.super_run_id))}, workstream ${named(String(context.workstream_id))}. Stay inside this repository.`,
    asked.length > 0 ? `Decisions that this repository owes: ${asked.join(', ')}` : '',
    others.length > 0 ? `## Accepted in other repositories\n\n${bulleted(others)}` : '',
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** What an operator fills in before a stopped coordinator resumes. */
export const RECOVERY_SECTIONS: readonly string[] = ['## Trigger', '## Impact', '## Mitigation'];

export function recoveryReportScaffold(detail: string): string {
  const blanks = RECOVERY_SECTIONS.map((heading) => `${heading}\n\n(Operator fills this before resuming)\n`);
  return `# Recovery Report\n\nStopped because: ${inline(detail, 1000)}\n\n${blanks.join('\n')}`;
}
