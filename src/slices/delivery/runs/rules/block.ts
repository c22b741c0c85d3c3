import type { Micros } from '../../../../kernel/clock.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import type { BlockedReason, RunState } from '../../run-state.ts';

export interface Block {
  readonly blockedOn: string;
  readonly category: string;
  readonly typedReason: string;
  readonly detail: string;
  readonly turnId?: string;
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
