import { member } from '../../document.ts';
import { done, type Outcome, refuse } from '../../outcome.ts';
import type { ActiveTurn, RunState } from '../../run-state.ts';

/** The turn that is meant: the one named, or the only one. `rule` says who asks. */
export function activeTurn(state: RunState, turnId: string | undefined, rule: string): Outcome<ActiveTurn> {
  const [first, second] = Object.values(state.active_turns);
  if (turnId === undefined && second !== undefined) {
    return refuse({
      type: 'target_required',
      rule,
      field: 'turn_id',
      message: 'Several turns are under way.',
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
    message: 'No turn is under way.',
    next: 'Assign one: baton run step',
  });
}

export function noSuchTurn(state: RunState, turnId: string) {
  const active = Object.keys(state.active_turns).join(', ') || 'there is none';
  return refuse({
    type: 'turn_not_active',
    rule: 'turn.active',
    field: 'turn_id',
    message: `Turn ${turnId} is not under way.`,
    next: `Name an active turn: ${active}.`,
  });
}
