import { member } from '../../../kernel/json/loose.ts';
import type { GateAction } from '../config/config.ts';
import { environmentOfOthers } from '../environment.ts';
import { deliveryErrors, refusalError } from '../errors.ts';
import { passHooks } from '../hooks/pass.ts';
import type { Resolution } from '../ports.ts';
import type { LockedRepository, RunRepository } from '../repository/repository.ts';
import { runProcess } from '../run-process.ts';
import { applyChange, type CommandResult } from '../runs/apply.ts';
import { attachmentOf, requireCredential, UNATTACHED } from '../runs/attachment.ts';
import { blocked, eventOf } from '../runs/rules/change.ts';
import { currentGate } from './current-gate.ts';
import {
  type Approval,
  approveCompletion,
  approveTransition,
  declineAtGate,
  pendingGate,
} from './rules/decide.ts';

export interface GateQuestion {
  readonly runId: string;
  readonly gate: string;
  readonly goal: string;
}

export interface Decider extends Approval {
  /** Decided in the inbox, by whoever the credential says; an attached run takes no other decision. */
  readonly credentialed?: boolean;
}

export interface ApproveOptions extends Decider {
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
    const { state } = locked.snapshot;
    await requireCredential(locked, options.credentialed);
    const completes = state.pending_run_completion !== null && state.pending_phase_transition === null;
    const decide = completes ? approveCompletion : approveTransition;
    const outcome = decide(state, options, locked.clock.now());
    if (outcome.ok) {
      await requireDocuments(locked);
      await beforeGate(locked, pendingGate(state) ?? '', options);
    }
    return withStanding(locked, await applyChange(locked, 'approve', outcome));
  });
}

/** The documents must be those that the gate was opened for: nobody may change them while a person looks. */
async function requireDocuments(locked: LockedRepository): Promise<void> {
  const gate = await currentGate(locked, locked.snapshot);
  if (gate === undefined || gate.reasons.length === 0) return;
  throw refusalError({
    type: 'gate_documents_changed',
    rule: 'gate.documents',
    field: 'gate',
    message: `The gate "${gate.name}" no longer holds: ${gate.reasons.join(' ')}`,
    next: 'Look at its documents, then vouch for them: baton run adopt',
    details: { reasons: gate.reasons },
  });
}

/** Says where nothing but the files stands behind the decision. */
async function withStanding(locked: LockedRepository, result: CommandResult): Promise<CommandResult> {
  const attached = (await attachmentOf(locked)) !== null;
  return attached ? result : { ...result, warnings: [...result.warnings, UNATTACHED] };
}

async function beforeGate(locked: LockedRepository, name: string, options: ApproveOptions): Promise<void> {
  const { state, config } = locked.snapshot;
  await passHooks(locked, { phase: 'before_gate', payload: { gate: name } });
  const gate = member(config.gates, name);
  if (gate === undefined) return;
  if (gate.requires_resolution !== undefined) {
    const question = { runId: state.run_id ?? '', gate: name, goal: gate.requires_resolution };
    await requireResolution(question, options);
  }
  for (const action of gate.gate_actions) await runAction(locked, name, action);
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

async function runAction(locked: LockedRepository, gate: string, action: GateAction): Promise<void> {
  const { state: waiting } = locked.snapshot;
  const shell = process.platform === 'win32' ? ['cmd', '/d', '/s', '/c'] : ['sh', '-c'];
  const outcome = await runProcess({
    argv: [...shell, action.run],
    cwd: locked.root,
    timeoutMs: action.timeout_ms ?? DEFAULT_ACTION_MS,
    // It may run what agents wrote: `npm test` does.
    env: { ...environmentOfOthers(), AGENTXCHAIN_GATE: gate, AGENTXCHAIN_RUN_ID: waiting.run_id ?? '' },
  });
  if (outcome.exitCode === 0) return;
  const label = action.label ?? action.run;
  const detail = outcome.timedOut
    ? `"${label}" ran out of time.`
    : `"${label}" ended with ${outcome.exitCode}. ${outcome.stderr.slice(0, 500)}`;
  // The gate stays pending: fix the cause and approve again.
  const state = blocked(
    waiting,
    {
      blockedOn: `gate_action:${gate}`,
      category: 'gate_action',
      typedReason: 'gate_action_failed',
      detail,
      recoveryAction: 'baton run approve',
    },
    locked.clock.now(),
  );
  await locked.write({
    kind: 'gate_action_failed',
    state,
    events: [eventOf(state, 'run_blocked', { blocked_on: state.blocked_on, detail })],
  });
  throw deliveryErrors.gate_action_failed({ message: detail, details: { gate, action: action.run } });
}

export async function declineGate(repository: RunRepository, approval: Decider = {}): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    await requireCredential(locked, approval.credentialed);
    const outcome = declineAtGate(locked.snapshot.state, approval, locked.clock.now());
    return applyChange(locked, 'decline', outcome);
  });
}
