import type { Clock } from '../../../kernel/clock.ts';
import type { Runtime } from '../config/config.ts';
import type { ActiveTurn } from '../run-state.ts';

/** One turn handed to a runtime, its bundle sealed and verified. */
export interface RuntimeCall {
  readonly root: string;
  readonly turn: ActiveTurn;
  readonly phase: string;
  readonly runtime: Runtime;
  /** Absolute. */
  readonly bundleDir: string;
  /** Absolute; where the turn's result is to be written. */
  readonly stagingFile: string;
  readonly prompt: string;
  readonly context: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (chunk: string) => void;
}

export type RuntimeOutcome =
  /** The agent wrote its result to the staging file itself. */
  | { readonly kind: 'staged' }
  /** The result came over the wire and still has to be staged. */
  | { readonly kind: 'result'; readonly result: unknown }
  /** Somebody else will stage it, in their own time. */
  | { readonly kind: 'waiting'; readonly message: string }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly retryable: boolean;
      /** The protocol's name for it, where it has one. */
      readonly event?: 'runtime_spawn_failed' | 'turn_start_failed' | 'turn_stalled';
    };

export type RuntimeAdapter = (call: RuntimeCall) => Promise<RuntimeOutcome>;

export function failed(message: string, retryable = false): RuntimeOutcome {
  return { kind: 'failed', message, retryable };
}

/** What a remote agent is told; paths only make sense to one that shares the disk. */
export function turnRequest(call: RuntimeCall) {
  return {
    run_id: call.turn.run_id,
    turn_id: call.turn.turn_id,
    role: call.turn.assigned_role,
    phase: call.phase,
    runtime_id: call.turn.runtime_id,
    dispatch_dir: call.bundleDir,
    prompt: call.prompt,
    context: call.context,
  };
}
