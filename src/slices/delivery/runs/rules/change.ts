import type { Micros } from '../../../../kernel/clock.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import type { EventDraft, LedgerRow } from '../../records.ts';
import type { BlockedReason, RunState } from '../../run-state.ts';

/** What a rule decided: the next state, and the rows to write with it. */
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

export interface Block {
  readonly blockedOn: string;
  readonly category: string;
  readonly typedReason: string;
  readonly detail: string;
  readonly turnId?: string | undefined;
  readonly recoveryAction: string;
  readonly owner?: 'human' | 'orchestrator';
  readonly turnRetained?: boolean;
}

export function blocked(state: RunState, block: Block, now: Micros): RunState {
  const reason: BlockedReason = {
    category: block.category,
    recovery: {
      typed_reason: block.typedReason,
      owner: block.owner ?? 'human',
      recovery_action: block.recoveryAction,
      turn_retained: block.turnRetained ?? false,
      detail: block.detail,
    },
    turn_id: block.turnId ?? null,
    blocked_at: formatMillis(now),
  };
  return { ...state, status: 'blocked', blocked_on: block.blockedOn, blocked_reason: reason };
}

/** `retries_exhausted` becomes `retries-exhausted`, free text a short slug. */
export function slug(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60) || 'unnamed'
  );
}
