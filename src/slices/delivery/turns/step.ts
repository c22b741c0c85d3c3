import { setTimeout as pause } from 'node:timers/promises';
import { BatonError } from '../../../kernel/error.ts';
import { hasLiveAgent, type Lease, releaseLease } from '../repository/leases.ts';
import type { RunRepository } from '../repository/repository.ts';
import type { ActiveTurn } from '../run-state.ts';
import { type CommandResult, commandResult } from '../runs/apply.ts';
import { enforceLimits } from '../runs/resume.ts';
import { type CallOptions, callRuntime, leaseOf } from '../runtimes/call-runtime.ts';
import { accept } from './accept.ts';
import { assign } from './assign.ts';
import type { BundleExtras } from './bundle.ts';
import { beginTurn } from './dispatch.ts';
import { reject } from './reject.ts';
import { hasAnswered, hasStaged } from './staging.ts';

export interface StepOptions extends CallOptions {
  readonly role?: string;
  /** How long to wait for a manual turn to be staged; 0 returns at once. */
  readonly waitMs?: number;
  readonly bundle?: BundleExtras;
  /** Write the bundle again although it has been dispatched. */
  readonly redispatch?: boolean;
}

export interface StepResult extends CommandResult {
  readonly outcome: 'accepted' | 'conflicted' | 'rejected' | 'waiting' | 'blocked';
  readonly turnId: string | null;
  readonly message: string | null;
}

const POLL_MS = 2000;
const PENDING: readonly ActiveTurn['status'][] = ['assigned', 'retrying', 'failed_start', 'stalled'];

/** Takes one turn as far as it goes: assign, dispatch, run, accept, or send it back with the reason. */
export async function step(repository: RunRepository, options: StepOptions): Promise<StepResult> {
  const late = await enforceLimits(repository);
  if (late?.state.status === 'blocked')
    return { ...late, outcome: 'blocked', turnId: null, message: late.state.blocked_on };
  return takeTurn(repository, await currentTurn(repository, options), options);
}

/** Takes a turn that is already assigned. Nobody else can, until it has come to an end here. */
export async function takeTurn(
  repository: RunRepository,
  turn: ActiveTurn,
  options: StepOptions,
): Promise<StepResult> {
  const turnId = turn.turn_id;
  const { state } = await repository.snapshot();
  const status = state.active_turns[turnId]?.status ?? turn.status;
  const begins = options.redispatch === true || PENDING.includes(status);
  const lease = begins
    ? await beginTurn(repository, turnId, options.bundle)
    : await leaseOf(repository, turnId);
  try {
    return await takeUnder(repository, turn, lease, options);
  } finally {
    await releaseLease(repository.keep, lease);
  }
}

async function takeUnder(
  repository: RunRepository,
  turn: ActiveTurn,
  given: Lease,
  options: StepOptions,
): Promise<StepResult> {
  const turnId = turn.turn_id;
  let lease = given;
  const atWork = await hasLiveAgent(lease);
  if (atWork || !(await isAnswered(repository, lease))) {
    // Its agent has ended with the orchestrator that waited for it: another one begins on a fresh tree.
    if (lease.agent !== null && !atWork) {
      lease = await beginTurn(repository, turnId, options.bundle, lease);
    }
    const outcome = await callRuntime(repository, turnId, options, lease);
    if (outcome.kind === 'failed') return sendBack(repository, turn, lease, outcome.message);
    if (outcome.kind === 'waiting' && !(await stagedInTime(repository, turnId, options.waitMs ?? 0))) {
      const { state } = await repository.snapshot();
      return { ...commandResult(state, []), outcome: 'waiting', turnId, message: outcome.message };
    }
  }
  try {
    const accepted = await accept(repository, { turnId, lease });
    return { ...accepted, turnId, message: null };
  } catch (error) {
    const { state } = await repository.snapshot();
    // Only what the agent can fix goes back to it; a blocked run or a lock is for others.
    const fixable = error instanceof BatonError && state.active_turns[turnId]?.status === 'failed_acceptance';
    if (!fixable) throw error;
    return sendBack(repository, turn, lease, error.message);
  }
}

async function isAnswered(repository: RunRepository, lease: Lease): Promise<boolean> {
  return (await hasStaged(repository.root, lease.turn_id)) || hasAnswered(lease);
}

async function currentTurn(repository: RunRepository, options: StepOptions): Promise<ActiveTurn> {
  const { state } = await repository.snapshot();
  const turns = Object.values(state.active_turns);
  const named =
    options.role === undefined ? turns[0] : turns.find((turn) => turn.assigned_role === options.role);
  if (named !== undefined && state.status === 'active') return named;
  const { turn } = await assign(repository, options.role);
  return turn;
}

async function sendBack(
  repository: RunRepository,
  turn: ActiveTurn,
  lease: Lease,
  reason: string,
): Promise<StepResult> {
  const result = await reject(repository, { turnId: turn.turn_id, reason, lease });
  const outcome = result.state.status === 'blocked' ? 'blocked' : 'rejected';
  return { ...result, outcome, turnId: turn.turn_id, message: reason };
}

async function stagedInTime(repository: RunRepository, turnId: string, waitMs: number): Promise<boolean> {
  for (let waited = 0; waited < waitMs; waited += POLL_MS) {
    if (await hasStaged(repository.root, turnId)) return true;
    await pause(Math.min(POLL_MS, waitMs - waited));
  }
  return hasStaged(repository.root, turnId);
}
