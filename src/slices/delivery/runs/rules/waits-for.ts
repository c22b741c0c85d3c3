import { member } from '../../../../kernel/json/loose.ts';
import type { GovernedConfig } from '../../config/config.ts';
import type { RunState } from '../../run-state.ts';

/** Whom a run waits for, and why; it cannot go on without them. */
export interface Waiting {
  readonly who: string;
  readonly reason: string;
}

/** Undefined where the next command changes something by itself. `staged` names the turns whose result is ready. */
export function waitsFor(
  state: RunState,
  config: GovernedConfig,
  staged: ReadonlySet<string> = new Set(),
): Waiting | undefined {
  if (state.status === 'paused') {
    const gate = state.pending_phase_transition?.gate ?? state.pending_run_completion?.gate ?? '';
    return { who: 'whoever decides at gates', reason: `The gate "${gate}" asks a person.` };
  }
  if (state.status === 'blocked') {
    const detail = state.blocked_reason?.recovery.detail;
    return { who: 'a person', reason: detail || `The run is blocked on ${state.blocked_on ?? 'something'}.` };
  }
  if (state.status !== 'active') return undefined;
  const turns = Object.values(state.active_turns);
  const byHand = turns.filter(
    (turn) =>
      member(config.runtimes, turn.runtime_id)?.type === 'manual' &&
      (turn.status === 'dispatched' || turn.status === 'running') &&
      !staged.has(turn.turn_id),
  );
  const [first] = byHand;
  if (first === undefined || byHand.length < turns.length) return undefined;
  const title = member(config.roles, first.assigned_role)?.title ?? first.assigned_role;
  return {
    who: `whoever works as ${title}`,
    reason: `Turn ${first.turn_id} of ${state.phase} is done by hand: its result is not staged yet.`,
  };
}
