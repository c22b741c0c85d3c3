import { type LooseRecord, member } from '../../../kernel/json/loose.ts';
import { deliveryErrors } from '../errors.ts';
import type { LockedRepository, RunRepository } from '../repository/repository.ts';
import type { Snapshot } from '../repository/snapshot.ts';
import type { ActiveTurn, RunState } from '../run-state.ts';
import { blocked, eventOf } from '../runs/rules/change.ts';
import { type AuditEntry, type PhaseVerdict, stopsPhase } from './rules.ts';
import { runHookPhase } from './run-phase.ts';

export interface HookRequest {
  readonly phase: string;
  readonly turn?: ActiveTurn;
  readonly payload?: LooseRecord;
  readonly alsoProtected?: readonly string[];
}

/** Runs and records a phase's hooks. One that blocks or tampers stops the run and throws `hook_stopped`. */
export async function passHooks(
  repository: RunRepository,
  locked: LockedRepository,
  snapshot: Snapshot,
  request: HookRequest,
): Promise<readonly string[]> {
  const verdict = await observeHooks(repository, locked, snapshot, request);
  if (verdict.ok) return warnings(verdict);
  const entry = verdict.entries.find(stopsPhase) as AuditEntry;
  const tampered = entry.orchestrator_action === 'aborted_tamper';
  const state = stopRun(snapshot.state, request, entry, tampered, repository);
  await locked.write({
    kind: 'hook_stop',
    state,
    events: [eventOf(state, 'run_blocked', { blocked_on: state.blocked_on }, request.turn ?? null)],
  });
  throw deliveryErrors.hook_stopped({
    message: `Hook "${entry.hook_name}" ${tampered ? 'changed governed files; they are restored' : 'blocked'} ${request.phase}: ${String(entry.message ?? entry.orchestrator_action)}`,
    details: { hook: entry.hook_name, phase: request.phase, orchestrator_action: entry.orchestrator_action },
  });
}

/** Runs and records a phase's hooks without acting on their verdicts: for phases that come after the fact. */
export async function observeHooks(
  repository: RunRepository,
  locked: LockedRepository,
  snapshot: Snapshot,
  request: HookRequest,
): Promise<PhaseVerdict> {
  const hooks = member(snapshot.config.hooks, request.phase) ?? [];
  if (hooks.length === 0) return { ok: true, blocked: false, entries: [] };
  const { state } = snapshot;
  const verdict = await runHookPhase({
    root: repository.root,
    phase: request.phase,
    hooks,
    runId: state.run_id,
    turnId: request.turn?.turn_id ?? null,
    payload: {
      run_id: state.run_id,
      phase: state.phase,
      turn_id: request.turn?.turn_id ?? null,
      role: request.turn?.assigned_role ?? null,
      ...request.payload,
    },
    clock: repository.clock,
    ...(request.alsoProtected === undefined ? {} : { alsoProtected: request.alsoProtected }),
  });
  await locked.write({
    kind: 'hook_audit',
    hookAudit: verdict.entries,
    hookAnnotations: verdict.entries.flatMap(annotationRows),
  });
  return verdict;
}

function stopRun(
  state: RunState,
  request: HookRequest,
  entry: AuditEntry,
  tampered: boolean,
  repository: RunRepository,
): RunState {
  return blocked(
    state,
    {
      blockedOn: `hook:${request.phase}:${entry.hook_name}`,
      category: 'hook',
      typedReason: tampered ? 'hook_tamper' : 'hook_block',
      detail: String(entry.message ?? entry.orchestrator_action),
      recoveryAction: 'baton run resume',
      turnRetained: request.turn !== undefined,
      ...(request.turn === undefined ? {} : { turnId: request.turn.turn_id }),
    },
    repository.clock.now(),
  );
}

function warnings(verdict: PhaseVerdict): readonly string[] {
  return verdict.entries
    .filter((entry) => entry.verdict === 'warn')
    .map((entry) => `Hook "${entry.hook_name}": ${String(entry.message ?? entry.orchestrator_action)}`);
}

function annotationRows(entry: AuditEntry): readonly object[] {
  const annotations = Array.isArray(entry.annotations) ? (entry.annotations as object[]) : [];
  if (annotations.length === 0) return [];
  return [
    {
      timestamp: entry.timestamp,
      hook_name: entry.hook_name,
      hook_phase: entry.hook_phase,
      turn_id: entry.turn_id,
      annotations,
    },
  ];
}
