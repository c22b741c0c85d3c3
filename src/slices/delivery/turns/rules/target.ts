import { member } from '../../../../kernel/json/loose.ts';
import { done, illegalTransition, type Outcome, refuse } from '../../outcome.ts';
import type { HistoryRow } from '../../records.ts';
import type { ActiveTurn, RunState } from '../../run-state.ts';

/** The turn named, or the only one. `rule` is the caller's rule, for the refusal. */
export function activeTurn(state: RunState, turnId: string | undefined, rule: string): Outcome<ActiveTurn> {
  const [first, second] = Object.values(state.active_turns);
  if (turnId === undefined && second !== undefined) {
    return refuse({
      type: 'target_required',
      rule,
      field: 'turn_id',
      message: 'Several turns are in progress.',
      next: `Name one of: --turn ${Object.keys(state.active_turns).join(', --turn ')}`,
    });
  }
  if (turnId !== undefined) {
    const named = member(state.active_turns, turnId);
    return named === undefined ? noSuchTurn(state, turnId) : done(named);
  }
  if (first !== undefined) return done(first);
  return refuse({
    type: 'turn_not_found',
    rule,
    field: 'turn_id',
    message: 'No turn is in progress.',
    next: 'Assign one: baton run step',
  });
}

export function noSuchTurn(state: RunState, turnId: string) {
  const active = Object.keys(state.active_turns).join(', ') || 'there is none';
  return refuse({
    type: 'turn_not_active',
    rule: 'turn.active',
    field: 'turn_id',
    message: `Turn ${turnId} is not in progress.`,
    next: `Name an active turn: ${active}.`,
  });
}

/** The turn to accept. History is checked first: accepting twice must never depend on the state file. */
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
      message: `Turn ${turnId} has already been accepted.`,
      next: 'Nothing to do; continue: baton run step',
    });
  }
  const target = activeTurn(state, turnId, 'accept.target');
  if (!target.ok) return target;
  const turn = target.value;
  if (state.status === 'active' || (state.status === 'blocked' && turn.status === 'conflicted'))
    return done(turn);
  return illegalTransition(
    'accept.run_active',
    `Turns can only be accepted in an active run; this one is ${state.status}.`,
    state.blocked_reason?.recovery.recovery_action ?? 'See: baton run status',
    'status',
  );
}

/** The accepted turn named, or the last one. */
export function acceptedTurn(
  history: readonly HistoryRow[],
  turnId: string | undefined,
): Outcome<HistoryRow> {
  const row = turnId === undefined ? history.at(-1) : history.find((each) => each.turn_id === turnId);
  if (row !== undefined) return done(row);
  return refuse({
    type: 'turn_not_found',
    rule: 'turn.accepted',
    field: 'turn_id',
    message:
      turnId === undefined
        ? 'No turn of this run has been accepted yet.'
        : `Turn ${turnId} is not an accepted turn of this run.`,
    next: 'See which are: baton run history',
  });
}
