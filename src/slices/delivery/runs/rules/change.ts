import type { EventDraft, LedgerRow } from '../../records.ts';
import type { RunState } from '../../run-state.ts';

/** What a rule decided: the next state, and the rows that have to be written with it. */
export interface Change {
  readonly state: RunState;
  readonly events: readonly EventDraft[];
  readonly ledger: readonly LedgerRow[];
  readonly warnings: readonly string[];
}

export function change(state: RunState, parts: Partial<Omit<Change, 'state'>> = {}): Change {
  return { state, events: parts.events ?? [], ledger: parts.ledger ?? [], warnings: parts.warnings ?? [] };
}

export function eventOf(
  state: RunState,
  eventType: string,
  payload: EventDraft['payload'] = {},
  turn: { readonly turn_id: string; readonly assigned_role: string } | null = null,
): EventDraft {
  return {
    event_type: eventType,
    run_id: state.run_id,
    phase: state.phase,
    status: state.status,
    turn: turn === null ? null : { turn_id: turn.turn_id, role_id: turn.assigned_role },
    payload,
  };
}
