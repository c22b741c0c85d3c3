import { BatonError } from '../../kernel/error.ts';
import type { RunState } from '../model/run-state.ts';
import type { RunRepository } from '../repository/repository.ts';
import { nextCommand } from '../rules/run/next-command.ts';
import { reject } from './reject.ts';
import { type StepOptions, type StepResult, step } from './step.ts';

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
  readonly onStep?: (result: StepResult) => void;
}

export interface LoopResult {
  readonly stopped: StopReason;
  readonly steps: number;
  readonly state: RunState;
  readonly next: string;
  readonly message: string | null;
}

const MAX_TURNS = 50;

/** Takes steps until something needs a person, or nothing is left to do. */
export async function runLoop(repository: RunRepository, options: LoopOptions): Promise<LoopResult> {
  const limit = options.maxTurns ?? MAX_TURNS;
  const stop = async (
    stopped: StopReason,
    steps: number,
    message: string | null = null,
  ): Promise<LoopResult> => {
    const { state } = await repository.snapshot();
    return { stopped, steps, state, next: nextCommand(state), message };
  };
  for (let steps = 0; steps < limit; steps += 1) {
    if (options.signal?.aborted === true) return stop('caller_stopped', steps);
    const { state } = await repository.snapshot();
    const halted = haltReason(state);
    if (halted !== undefined) return stop(halted, steps, state.blocked_reason?.recovery.detail ?? null);
    try {
      const result = await step(repository, options);
      options.onStep?.(result);
      if (result.outcome === 'waiting') return stop('waiting_for_result', steps + 1, result.message);
      if (result.outcome === 'conflicted' && !(await reassigned(repository, result))) {
        return stop('conflict_stall', steps + 1, 'The files have to be merged by hand.');
      }
    } catch (error) {
      const after = await repository.snapshot();
      const reason = haltReason(after.state);
      if (!(error instanceof BatonError)) throw error;
      return stop(reason ?? 'dispatch_error', steps, error.message);
    }
  }
  const { state } = await repository.snapshot();
  return stop(haltReason(state) ?? 'max_turns_reached', limit);
}

/** A small overlap is done again on top of what came in between; a large one is for a person to merge. */
async function reassigned(repository: RunRepository, result: StepResult): Promise<boolean> {
  const turn = result.state.active_turns[result.turnId ?? ''];
  if (turn?.conflict_state?.suggested_resolution !== 'reject_and_reassign') return false;
  await reject(repository, { turnId: turn.turn_id, reason: 'Other turns changed the same files.' });
  return true;
}

function haltReason(state: RunState): StopReason | undefined {
  if (state.status === 'completed') return 'completed';
  if (state.status === 'paused') return 'gate_held';
  if (state.status !== 'blocked') return undefined;
  if (state.blocked_on?.startsWith('human:conflict_loop') === true) return 'conflict_loop';
  return state.blocked_on?.startsWith('escalation:retries-exhausted') === true
    ? 'reject_exhausted'
    : 'blocked';
}
