import { evaluateCoordinatorGate, type GateEvaluation } from './gate.ts';
import { nextOfMulti } from './rules/next.ts';
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
  /** Why it takes a person; null where the command changes something by itself. */
  readonly waitsFor: string | null;
}

export async function multiStatus(workspace: Workspace): Promise<MultiStatus> {
  const snapshot = await workspace.snapshot();
  const { state, barriers } = snapshot;
  const next = nextOfMulti(snapshot);
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
    next: next.command,
    waitsFor: next.person,
  };
}
