import { formatMillis } from '../../../kernel/instant.ts';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { refusalError } from '../errors.ts';
import { runCoordinatorHooks } from './hooks.ts';
import { type Projected, projectAcceptance } from './rules/project.ts';
import { recoveryReportScaffold } from './rules/texts.ts';
import type { CoordinatorState } from './state.ts';
import { type LockedWorkspace, MULTI, type Workspace } from './workspace.ts';

/** A turn that a repository has accepted, and the workstream that it was for. */
export interface AcceptedElsewhere {
  readonly repoId: string;
  readonly workstreamId: string;
  readonly turn: LooseRecord;
}

/** Records an accepted turn of a repository, moves barriers, and runs the hooks. */
export async function recordAcceptance(
  workspace: Workspace,
  locked: LockedWorkspace,
  state: CoordinatorState,
  accepted: AcceptedElsewhere,
): Promise<Projected> {
  const { repoId, workstreamId, turn } = accepted;
  const now = workspace.clock.now();
  const suffix = workspace.newHex(4);
  const outcome = projectAcceptance({ ...locked.snapshot, ...accepted, state, suffix, now });
  if (!outcome.ok) throw refusalError(outcome.refusal);
  const { projection, barriers, effects } = outcome.value;
  await locked.write({
    kind: 'multi_projection',
    history: [projection],
    barriers,
    barrierLedger: effects.map((effect) => ({
      type: 'barrier_transition',
      timestamp: formatMillis(now),
      super_run_id: state.super_run_id,
      projection_ref: projection.projection_ref,
      ...effect,
    })),
  });
  const verdict = await runCoordinatorHooks(workspace, locked, 'after_acceptance', state, {
    repo_id: repoId,
    workstream_id: workstreamId,
    turn_id: turn.turn_id,
  });
  if (verdict.ok) return outcome.value;
  // After the fact nothing can be undone: the super-run waits until a person has written down what happened.
  const detail = `A hook stopped the super-run after ${repoId} accepted ${String(turn.turn_id)}.`;
  await locked.write({
    kind: 'multi_blocked',
    state: { ...state, status: 'blocked', blocked_reason: detail },
    files: [{ file: MULTI.recovery, text: recoveryReportScaffold(detail) }],
  });
  return outcome.value;
}
