import type { Refusal } from '../../outcome.ts';
import type { ActiveTurn, RunState } from '../../run-state.ts';
import { type Change, change, eventOf } from '../../runs/rules/change.ts';

/** A refused acceptance leaves history alone and says on the turn what was wrong. */
export function markFailedAcceptance(
  state: RunState,
  turn: ActiveTurn,
  refusal: Refusal,
  failedStage: string | null,
  errors: readonly string[],
): Change {
  const marked: ActiveTurn = {
    ...turn,
    status: 'failed_acceptance',
    last_rejection: { reason: refusal.message, validation_errors: errors, failed_stage: failedStage },
  };
  const next: RunState = { ...state, active_turns: { ...state.active_turns, [turn.turn_id]: marked } };
  const payload = {
    error_type: refusal.type,
    failed_stage: failedStage,
    message: refusal.message,
    field: refusal.field ?? null,
  };
  return change(next, { events: [eventOf(next, 'acceptance_failed', payload, turn)] });
}
