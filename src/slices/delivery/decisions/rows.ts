import type { Micros } from '../../../kernel/clock.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { LedgerRow } from '../records.ts';
import type { TurnResult } from '../turns/turn-result.ts';

/** The ledger rows of an accepted turn's decisions. */
export function decisionRows(result: TurnResult, phase: string, now: Micros): readonly LedgerRow[] {
  return result.decisions.map((decision) => ({
    id: decision.id,
    run_id: result.run_id,
    turn_id: result.turn_id,
    role: result.role,
    runtime_id: result.runtime_id,
    phase,
    category: decision.category,
    statement: decision.statement,
    rationale: decision.rationale,
    durability: decision.durability ?? 'run',
    overrides: decision.overrides ?? null,
    objections_against: result.objections
      .filter((objection) => objection.against_decision_id === decision.id)
      .map((objection) => objection.id),
    status: 'accepted',
    overridden_by: null,
    created_at: formatMillis(now),
  }));
}
