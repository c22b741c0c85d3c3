import { evaluateCoordinatorGate, type GateEvaluation } from './gate.ts';
import type { Barriers, CoordinatorState } from './state.ts';
import type { Workspace } from './workspace.ts';

export interface MultiStatus {
  readonly state: CoordinatorState | null;
  readonly barriers: Barriers;
  readonly repos: Readonly<
    Record<
      string,
      { readonly status: string; readonly phase: string; readonly blockedOn: string | null } | null
    >
  >;
  readonly gate: GateEvaluation | null;
  /** The command to run next. */
  readonly next: string;
}

export async function multiStatus(workspace: Workspace): Promise<MultiStatus> {
  const snapshot = await workspace.snapshot();
  const { state, barriers } = snapshot;
  const gate = state === null ? null : evaluateCoordinatorGate(snapshot, state);
  return {
    state,
    barriers,
    repos: Object.fromEntries(
      Object.entries(snapshot.repos).map(([id, repo]) => [
        id,
        repo === undefined ? null : { status: repo.status, phase: repo.phase, blockedOn: repo.blocked_on },
      ]),
    ),
    gate,
    next: nextOf(state, gate),
  };
}

function nextOf(state: CoordinatorState | null, gate: GateEvaluation | null): string {
  if (state === null) return 'baton multi start';
  if (state.status === 'paused') return 'baton multi approve';
  if (state.status === 'blocked') return 'baton multi resume';
  if (state.status === 'completed') return 'baton multi status';
  return gate?.blockers.length === 0 ? 'baton multi gate' : 'baton multi step';
}
