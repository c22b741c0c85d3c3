import { member } from '../../model/document.ts';
import type { HistoryRow } from '../../model/records.ts';
import type { ActiveTurn, RunState } from '../../model/run-state.ts';
import { done, illegalTransition, type Outcome, refuse } from '../outcome.ts';
import { noSuchTurn } from '../turns/reject.ts';

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
  const active = Object.values(state.active_turns);
  const [first] = active;
  if (turnId === undefined && active.length > 1) {
    return refuse({
      type: 'target_required',
      rule: 'accept.target',
      field: 'turn_id',
      message: 'Several turns are under way.',
      next: `Name one of: ${Object.keys(state.active_turns).join(', ')}.`,
    });
  }
  const turn = turnId === undefined ? first : member(state.active_turns, turnId);
  if (turn === undefined) return turnId === undefined ? nothingActive() : noSuchTurn(state, turnId);
  if (state.status === 'active' || (state.status === 'blocked' && turn.status === 'conflicted'))
    return done(turn);
  return illegalTransition(
    'accept.run_active',
    `Turns are accepted in an active run; this one is ${state.status}.`,
    state.blocked_reason?.recovery.recovery_action ?? 'See: baton run status',
    'status',
  );
}

function nothingActive() {
  return refuse({
    type: 'turn_not_found',
    rule: 'accept.target',
    field: 'turn_id',
    message: 'No turn is under way.',
    next: 'Assign one: baton run step',
  });
}
