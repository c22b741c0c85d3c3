import { type LooseRecord, member } from '../../../kernel/json/loose.ts';
import { readConfig } from '../config/rules/read.ts';
import { deliveryErrors } from '../errors.ts';
import type { PhaseVerdict } from '../hooks/rules.ts';
import { runHookPhase } from '../hooks/run-phase.ts';
import type { CoordinatorState } from './state.ts';
import { type LockedWorkspace, MULTI, type Workspace } from './workspace.ts';

const PROTECTED = [MULTI.state, MULTI.history, MULTI.barriers, MULTI.ledger];

export async function runCoordinatorHooks(
  workspace: Workspace,
  locked: LockedWorkspace,
  phase: string,
  state: CoordinatorState,
  payload: LooseRecord,
): Promise<PhaseVerdict> {
  const hooks = member(readConfig(locked.snapshot.rawConfig).hooks, phase) ?? [];
  if (hooks.length === 0) return { ok: true, blocked: false, entries: [] };
  const verdict = await runHookPhase({
    root: workspace.root,
    phase,
    hooks,
    runId: state.super_run_id,
    turnId: null,
    payload,
    alsoProtected: PROTECTED,
    clock: workspace.clock,
  });
  await locked.write({ kind: 'multi_hook_audit', hookAudit: verdict.entries });
  return verdict;
}

/** For phases before the fact: a hook may refuse, and then nothing has changed. */
export async function passCoordinatorHooks(
  workspace: Workspace,
  locked: LockedWorkspace,
  phase: string,
  state: CoordinatorState,
  payload: LooseRecord,
): Promise<void> {
  const verdict = await runCoordinatorHooks(workspace, locked, phase, state, payload);
  if (verdict.ok) return;
  const entry = verdict.entries.find((candidate) => candidate.orchestrator_action !== 'continued');
  throw deliveryErrors.hook_stopped({
    message: `Hook "${entry?.hook_name}" stopped ${phase}: ${String(entry?.message ?? entry?.orchestrator_action)}`,
    next: `See ${MULTI.hookAudit}.`,
  });
}
