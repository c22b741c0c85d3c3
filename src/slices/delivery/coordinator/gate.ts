import { readFile } from 'node:fs/promises';
import { formatMillis } from '../../../kernel/instant.ts';
import { member } from '../../../kernel/json/loose.ts';
import { deliveryErrors, illegalTransitionError } from '../errors.ts';
import { checkSections } from '../gates/rules/sections.ts';
import { within } from '../repository/paths.ts';
import { passCoordinatorHooks } from './hooks.ts';
import { type GateBlocker, gateBlockers } from './rules/gates.ts';
import { type MultiNext, nextOfMulti } from './rules/next.ts';
import { RECOVERY_SECTIONS } from './rules/texts.ts';
import type { Barriers, CoordinatorState, PendingCoordinatorGate } from './state.ts';
import { requireActive } from './step.ts';
import { type CoordinatorSnapshot, type LockedWorkspace, MULTI, type Workspace } from './workspace.ts';

export interface GateEvaluation extends Omit<PendingCoordinatorGate, 'barrier_ids' | 'requested_at'> {
  readonly blockers: readonly GateBlocker[];
}

/** What keeps the super-run from moving on. */
export function evaluateCoordinatorGate(
  snapshot: CoordinatorSnapshot,
  state: CoordinatorState,
): GateEvaluation {
  const { phases, gates } = snapshot.config;
  const at = phases.indexOf(state.phase);
  const to = phases[at + 1] ?? null;
  return {
    kind: to === null ? 'run_completion' : 'phase_transition',
    gate: Object.keys(gates)[at] ?? `${state.phase}_gate`,
    from: state.phase,
    to,
    blockers: gateBlockers(snapshot, state),
  };
}

/** Asks to move on: refused with the blockers, or else waits for a person or moves at once. */
export async function requestCoordinatorGate(workspace: Workspace): Promise<CoordinatorState> {
  return workspace.exclusively(async (locked) => {
    const { snapshot } = locked;
    const state = requireActive(snapshot.state);
    const { blockers, ...evaluation } = evaluateCoordinatorGate(snapshot, state);
    if (blockers.length > 0) {
      throw deliveryErrors.refused({
        message: blockers.map((blocker) => `${blocker.code}: ${blocker.message}`).join(' '),
        next: describeNext(nextOfMulti(snapshot)),
        details: { rule: 'coordinator.gate', field: 'phase', blockers },
      });
    }
    const { kind, gate } = evaluation;
    await passCoordinatorHooks(workspace, locked, 'before_gate', state, { gate });
    const at = formatMillis(workspace.clock.now());
    const barrierIds = sharedGates(snapshot, state);
    const pending = { ...evaluation, barrier_ids: barrierIds, requested_at: at };
    const asksPerson =
      (member(snapshot.config.gates, gate)?.requiresHumanApproval ?? true) || barrierIds.length > 0;
    const next: CoordinatorState = { ...state, status: 'paused', pending_gate: pending };
    const row = { type: `${kind}_requested`, timestamp: at, super_run_id: state.super_run_id, ...pending };
    await locked.write({ kind: 'multi_gate', state: next, history: [row] });
    return asksPerson ? next : settle(workspace, locked.write, next, snapshot.barriers, null);
  });
}

/** Approves the pending gate; this also satisfies a shared human gate. */
export async function approveCoordinatorGate(workspace: Workspace, by?: string): Promise<CoordinatorState> {
  return workspace.exclusively(async ({ snapshot, write }) => {
    const { state } = snapshot;
    if (state === null || state.pending_gate === null) {
      const next = 'Ask for one: baton multi gate';
      throw illegalTransitionError('coordinator.approve', 'No gate is pending.', next, 'pending_gate');
    }
    return settle(workspace, write, state, snapshot.barriers, by ?? null);
  });
}

async function settle(
  workspace: Workspace,
  write: LockedWorkspace['write'],
  state: CoordinatorState,
  barriers: Barriers,
  by: string | null,
): Promise<CoordinatorState> {
  const pending = state.pending_gate as PendingCoordinatorGate;
  const at = formatMillis(workspace.clock.now());
  const next: CoordinatorState = {
    ...state,
    status: pending.to === null ? 'completed' : 'active',
    phase: pending.to ?? state.phase,
    pending_gate: null,
    phase_gate_status: { ...state.phase_gate_status, [pending.gate]: 'passed' },
  };
  const moved = Object.entries(barriers).filter(([id]) => pending.barrier_ids.includes(id));
  await write({
    kind: 'multi_approve',
    state: next,
    barriers: {
      ...barriers,
      ...Object.fromEntries(moved.map(([id, barrier]) => [id, { ...barrier, status: 'satisfied' as const }])),
    },
    barrierLedger: moved.map(([id, barrier]) => ({
      type: 'barrier_transition',
      timestamp: at,
      barrier_id: id,
      previous_status: barrier.status,
      new_status: 'satisfied',
    })),
    history: [
      {
        type: pending.to === null ? 'run_completed' : 'phase_transition_approved',
        timestamp: at,
        super_run_id: state.super_run_id,
        gate: pending.gate,
        approved_by: by,
      },
    ],
    ledger: [{ decision: 'gate_approved', gate: pending.gate, approved_by: by, created_at: at }],
  });
  return next;
}

/** Resumes after a stop, once the recovery report says what happened, its impact and what was done. */
export async function resumeMulti(workspace: Workspace): Promise<CoordinatorState> {
  return workspace.exclusively(async ({ snapshot, write }) => {
    const { state } = snapshot;
    if (state?.status !== 'blocked') {
      const message = 'The super-run is not blocked.';
      throw illegalTransitionError('coordinator.resume', message, 'See: baton multi status', 'status');
    }
    const report = await readFile(within(workspace.root, MULTI.recovery), 'utf8').catch(() => '');
    const { missing, hollow } = checkSections(report, RECOVERY_SECTIONS);
    if (missing.length + hollow.length > 0) {
      throw illegalTransitionError(
        'coordinator.recovery_report',
        `${[...missing, ...hollow].join(', ')} of ${MULTI.recovery} is not filled in.`,
        `Fill in ${MULTI.recovery}, then retry.`,
        MULTI.recovery,
      );
    }
    const next: CoordinatorState = { ...state, status: 'active', blocked_reason: null };
    await write({
      kind: 'multi_resume',
      state: next,
      ledger: [{ decision: 'escalation_resolved', report, created_at: formatMillis(workspace.clock.now()) }],
    });
    return next;
  });
}

function describeNext({ command, person }: MultiNext): string {
  return person === null ? `Continue: ${command}` : `${person} → ${command}`;
}

function sharedGates({ config, barriers }: CoordinatorSnapshot, state: CoordinatorState): readonly string[] {
  return Object.entries(barriers)
    .filter(
      ([, barrier]) =>
        barrier.type === 'shared_human_gate' &&
        config.workstreams[barrier.workstream_id]?.phase === state.phase,
    )
    .map(([id]) => id);
}
