import { member } from '../../../kernel/json/loose.ts';
import type { GateAction, GovernedConfig } from '../config/config.ts';
import { deliveryErrors } from '../errors.ts';
import { passHooks } from '../hooks/pass.ts';
import type { Resolution } from '../ports.ts';
import type { LockedRepository, RunRepository } from '../repository/repository.ts';
import type { Snapshot } from '../repository/snapshot.ts';
import { runProcess } from '../run-process.ts';
import type { RunState } from '../run-state.ts';
import { applyChange, type CommandResult } from '../runs/apply.ts';
import { blocked, eventOf } from '../runs/rules/change.ts';
import { type Approval, approveCompletion, approveTransition, declineAtGate } from './rules/decide.ts';

export interface GateQuestion {
  readonly runId: string;
  readonly gate: string;
  readonly goal: string;
}

export interface ApproveOptions {
  readonly by?: string;
  readonly note?: string;
  /** Asks governance policy; only gates with `requires_resolution` need it. */
  readonly resolve?: (question: GateQuestion) => Promise<Resolution>;
}

const DEFAULT_ACTION_MS = 15 * 60 * 1000;

/** Lets the run through the gate that it waits at. The gate's hooks and actions run first, under the lock. */
export async function approve(
  repository: RunRepository,
  options: ApproveOptions = {},
): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const { state, config } = snapshot;
    const now = repository.clock.now();
    const approval = {
      ...(options.by === undefined ? {} : { by: options.by }),
      ...(options.note === undefined ? {} : { note: options.note }),
    };
    const decide = () =>
      state.pending_run_completion !== null && state.pending_phase_transition === null
        ? approveCompletion(state, approval, now)
        : approveTransition(state, approval, now);
    const outcome = decide();
    if (outcome.ok) await beforeGate(repository, locked, snapshot, config, options);
    return applyChange(repository, locked, snapshot, 'approve', outcome);
  });
}

async function beforeGate(
  repository: RunRepository,
  locked: LockedRepository,
  snapshot: Snapshot,
  config: GovernedConfig,
  options: ApproveOptions,
): Promise<void> {
  const name = gateOf(snapshot.state);
  await passHooks(repository, locked, snapshot, { phase: 'before_gate', payload: { gate: name } });
  const gate = member(config.gates, name);
  if (gate === undefined) return;
  if (gate.requires_resolution !== undefined) {
    const question = { runId: snapshot.state.run_id ?? '', gate: name, goal: gate.requires_resolution };
    await requireResolution(question, options);
  }
  for (const action of gate.gate_actions) await runAction(repository, locked, snapshot, name, action);
}

function gateOf(state: RunState): string {
  return state.pending_phase_transition?.gate ?? state.pending_run_completion?.gate ?? '';
}

async function requireResolution(question: GateQuestion, { resolve }: ApproveOptions): Promise<void> {
  const { goal } = question;
  if (resolve === undefined) {
    throw deliveryErrors.resolution_required({
      message: `The gate requires policy to allow "${goal}", and no server is running to decide that.`,
    });
  }
  const { allowed, waiting, reason } = await resolve(question);
  if (allowed) return;
  throw deliveryErrors.resolution_required({
    message: reason,
    details: { goal, waiting },
    ...(waiting && { next: 'Approve that first (baton inbox), then the gate again: baton run approve' }),
  });
}

async function runAction(
  repository: RunRepository,
  locked: LockedRepository,
  snapshot: Snapshot,
  gate: string,
  action: GateAction,
): Promise<void> {
  const shell = process.platform === 'win32' ? ['cmd', '/d', '/s', '/c'] : ['sh', '-c'];
  const outcome = await runProcess({
    argv: [...shell, action.run],
    cwd: repository.root,
    timeoutMs: action.timeout_ms ?? DEFAULT_ACTION_MS,
    env: { ...process.env, AGENTXCHAIN_GATE: gate, AGENTXCHAIN_RUN_ID: snapshot.state.run_id ?? '' },
  });
  if (outcome.exitCode === 0) return;
  const label = action.label ?? action.run;
  const detail = outcome.timedOut
    ? `"${label}" ran out of time.`
    : `"${label}" ended with ${outcome.exitCode}. ${outcome.stderr.slice(0, 500)}`;
  // The gate stays pending: fix the cause and approve again.
  const state = blocked(
    snapshot.state,
    {
      blockedOn: `gate_action:${gate}`,
      category: 'gate_action',
      typedReason: 'gate_action_failed',
      detail,
      recoveryAction: 'baton run approve',
    },
    repository.clock.now(),
  );
  await locked.write({
    kind: 'gate_action_failed',
    state,
    events: [eventOf(state, 'run_blocked', { blocked_on: state.blocked_on, detail })],
  });
  throw deliveryErrors.gate_action_failed({ message: detail, details: { gate, action: action.run } });
}

export async function declineGate(
  repository: RunRepository,
  approval: Approval = {},
): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const outcome = declineAtGate(snapshot.state, approval, repository.clock.now());
    return applyChange(repository, locked, snapshot, 'decline', outcome);
  });
}
