import { type LooseRecord, member } from '../../../kernel/json/loose.ts';
import { deliveryErrors } from '../errors.ts';
import { governedPaths } from '../repository/governed.ts';
import { readRecord } from '../repository/keep.ts';
import type { LockedRepository } from '../repository/repository.ts';
import type { ActiveTurn } from '../run-state.ts';
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
export async function passHooks(locked: LockedRepository, request: HookRequest): Promise<readonly string[]> {
  const verdict = await observeHooks(locked, request);
  if (verdict.ok) return warnings(verdict);
  const entry = verdict.entries.find(stopsPhase) as AuditEntry;
  const tampered = entry.orchestrator_action === 'aborted_tamper';
  const state = stopRun(locked, request, entry, tampered);
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
export async function observeHooks(locked: LockedRepository, request: HookRequest): Promise<PhaseVerdict> {
  const { state, config } = locked.snapshot;
  const hooks = member(config.hooks, request.phase) ?? [];
  if (hooks.length === 0) return { ok: true, blocked: false, entries: [] };
  const { phase, turn, alsoProtected = [] } = request;
  const { prompts } = await readRecord(locked.keep);
  const turnId = turn?.turn_id ?? null;
  const verdict = await runHookPhase({
    root: locked.root,
    phase,
    hooks,
    runId: state.run_id,
    turnId,
    payload: {
      run_id: state.run_id,
      phase: state.phase,
      turn_id: turnId,
      role: turn?.assigned_role ?? null,
      ...request.payload,
    },
    clock: locked.clock,
    alsoProtected: [...governedPaths(prompts), ...alsoProtected],
  });
  await locked.write({
    kind: 'hook_audit',
    hookAudit: verdict.entries,
    hookAnnotations: verdict.entries.flatMap(annotationRows),
  });
  return verdict;
}

function stopRun(
  { snapshot, clock }: LockedRepository,
  { phase, turn }: HookRequest,
  entry: AuditEntry,
  tampered: boolean,
) {
  return blocked(
    snapshot.state,
    {
      blockedOn: `hook:${phase}:${entry.hook_name}`,
      category: 'hook',
      typedReason: tampered ? 'hook_tamper' : 'hook_block',
      detail: String(entry.message ?? entry.orchestrator_action),
      recoveryAction: 'baton run resume',
      turnRetained: turn !== undefined,
      turnId: turn?.turn_id,
    },
    clock.now(),
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
