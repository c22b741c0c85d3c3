import { done, illegalTransition, type Outcome, refuse } from '../../outcome.ts';
import type { HistoryRow } from '../../records.ts';
import type { ActiveTurn, RunState } from '../../run-state.ts';
import { activeTurn } from './active-turn.ts';

/** Which turn is to be accepted. History is asked first: accepting twice must never depend on the state file. */
export function resolveTarget(
  state: RunState,
  history: readonly HistoryRow[],
  turnId: string | undefined,
): Outcome<ActiveTurn> {
  if (turnId !== undefined && history.some((row) => row.turn_id === turnId)) {
    return refuse({
      type: 'turn_already_accepted',
      rule: 'accept.once',
      field: 'turn_id',
      message: `Turn ${turnId} is accepted already.`,
      next: 'Nothing to do; go on with: baton run step',
    });
  }
  const target = activeTurn(state, turnId, 'accept.target');
  if (!target.ok) return target;
  const turn = target.value;
  if (state.status === 'active' || (state.status === 'blocked' && turn.status === 'conflicted'))
    return done(turn);
  return illegalTransition(
    'accept.run_active',
    `Turns are accepted in an active run; this one is ${state.status}.`,
    state.blocked_reason?.recovery.recovery_action ?? 'See: baton run status',
    'status',
  );
}
