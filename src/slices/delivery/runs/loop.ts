import { setTimeout as pause } from 'node:timers/promises';
import { BatonError } from '../../../kernel/error.ts';
import type { RunRepository } from '../repository/repository.ts';
import type { ActiveTurn, RunState } from '../run-state.ts';
import { assign } from '../turns/assign.ts';
import { reject } from '../turns/reject.ts';
import { type StepOptions, type StepResult, takeTurn } from '../turns/step.ts';
import { enforceLimits } from './resume.ts';
import { backoffMs } from './rules/backoff.ts';
import { rolesToAssign } from './rules/choose-role.ts';
import { nextCommand } from './rules/next-command.ts';

export type StopReason =
  | 'completed'
  | 'blocked'
  | 'max_turns_reached'
  | 'gate_held'
  | 'caller_stopped'
  | 'reject_exhausted'
  | 'conflict_loop'
  | 'conflict_stall'
  | 'waiting_for_result'
  | 'dispatch_error';

export interface LoopOptions extends StepOptions {
  readonly maxTurns?: number;
  /** Awaited, so that the next turn begins on what it leaves. */
  readonly onStep?: (result: StepResult) => unknown;
}

export interface LoopResult {
  readonly stopped: StopReason;
  readonly steps: number;
  readonly state: RunState;
  readonly next: string;
  readonly message: string | null;
}

interface Stop {
  readonly reason: StopReason;
  readonly message: string | null;
}

interface Ended {
  readonly turnId: string;
  readonly outcome: StepResult | { readonly error: unknown };
}

const MAX_TURNS = 50;

/**
 * Takes turns, several at a time where the phase allows it, until a person is needed or nothing is left to do. Once
 * there is a reason to stop, no new turn begins and running ones are awaited.
 */
export async function runLoop(repository: RunRepository, options: LoopOptions): Promise<LoopResult> {
  const limit = options.maxTurns ?? MAX_TURNS;
  const running = new Map<string, Promise<Ended>>();
  let begun = 0;
  let steps = 0;
  let stop: Stop | undefined;
  for (;;) {
    stop ??= await reasonToStop(repository, options.signal);
    if (stop === undefined && begun < limit) {
      const ready = await readyTurns(repository, options, running);
      if ('reason' in ready) stop = ready;
      else {
        for (const turn of ready.slice(0, limit - begun)) {
          begun += 1;
          running.set(turn.turn_id, ended(turn.turn_id, takeInTime(repository, turn, options)));
        }
      }
    }
    if (running.size === 0) break;
    const { turnId, outcome } = await Promise.race(running.values());
    running.delete(turnId);
    steps += 1;
    if ('error' in outcome) {
      if (!(outcome.error instanceof BatonError)) {
        await Promise.all(running.values());
        throw outcome.error;
      }
      stop ??= await stopAfter(repository, outcome.error);
    } else {
      await options.onStep?.(outcome);
      stop ??= await stopBecauseOf(repository, outcome);
    }
  }
  const { state } = await repository.snapshot();
  const { reason, message } = stop ?? { reason: 'max_turns_reached' as const, message: null };
  return { stopped: reason, steps, state, next: nextCommand(state), message };
}

/** An agent that could not be started or reached is given a little longer each time before it is called again. */
async function takeInTime(
  repository: RunRepository,
  turn: ActiveTurn,
  options: LoopOptions,
): Promise<StepResult> {
  const { config } = await repository.snapshot();
  const wait = backoffMs(turn, config.retryBackoffSeconds);
  if (wait > 0) await pause(wait, undefined, { signal: options.signal }).catch(() => undefined);
  return takeTurn(repository, turn, options);
}

function ended(turnId: string, turn: Promise<StepResult>): Promise<Ended> {
  return turn.then(
    (outcome) => ({ turnId, outcome }),
    (error) => ({ turnId, outcome: { error } }),
  );
}

/** The turns already assigned, and those that can be assigned now. Only the first assignment has to succeed. */
async function readyTurns(
  repository: RunRepository,
  { role }: LoopOptions,
  running: ReadonlyMap<string, unknown>,
): Promise<readonly ActiveTurn[] | Stop> {
  const { state, config, history } = await repository.snapshot();
  const present = Object.values(state.active_turns).filter(
    (turn) => !running.has(turn.turn_id) && (role === undefined || turn.assigned_role === role),
  );
  const mine = present.length > 0 || running.size > 0 ? [] : [role];
  const ready = [...present];
  for (const next of role === undefined ? rolesToAssign(state, config, history) : mine) {
    try {
      ready.push((await assign(repository, next)).turn);
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      if (ready.length === 0 && running.size === 0) return stopAfter(repository, error);
      break;
    }
  }
  return ready;
}

async function reasonToStop(
  repository: RunRepository,
  signal: AbortSignal | undefined,
): Promise<Stop | undefined> {
  await enforceLimits(repository);
  const halted = haltOf((await repository.snapshot()).state);
  if (halted !== undefined) return halted;
  return signal?.aborted === true ? { reason: 'caller_stopped', message: null } : undefined;
}

async function stopAfter(repository: RunRepository, error: BatonError): Promise<Stop> {
  const { state } = await repository.snapshot();
  return haltOf(state) ?? { reason: 'dispatch_error', message: error.message };
}

async function stopBecauseOf(repository: RunRepository, result: StepResult): Promise<Stop | undefined> {
  if (result.outcome === 'waiting') return { reason: 'waiting_for_result', message: result.message };
  if (result.outcome !== 'conflicted' || (await reassigned(repository, result))) return undefined;
  const { state } = await repository.snapshot();
  return haltOf(state) ?? { reason: 'conflict_stall', message: 'The files must be merged by hand.' };
}

/** A turn with a small overlap is done again on top of the accepted work; a large one is for a person to merge. */
async function reassigned(repository: RunRepository, result: StepResult): Promise<boolean> {
  const turn = result.state.active_turns[result.turnId ?? ''];
  if (turn?.conflict_state?.suggested_resolution !== 'reject_and_reassign') return false;
  await reject(repository, { turnId: turn.turn_id, reassign: true });
  return true;
}

function haltOf(state: RunState): Stop | undefined {
  const message = state.blocked_reason?.recovery.detail ?? null;
  if (state.status === 'completed') return { reason: 'completed', message };
  if (state.status === 'paused') return { reason: 'gate_held', message };
  if (state.status !== 'blocked') return undefined;
  const on = state.blocked_on ?? '';
  if (on.startsWith('human:conflict_loop')) return { reason: 'conflict_loop', message };
  return { reason: on.startsWith('escalation:retries-exhausted') ? 'reject_exhausted' : 'blocked', message };
}
