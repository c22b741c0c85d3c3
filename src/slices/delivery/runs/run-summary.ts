import type { Micros } from '../../../kernel/clock.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { RunState } from '../run-state.ts';

/** The row of run-history.jsonl that a run's end, or its coming to a halt, leaves behind. */
export function runSummary(before: RunState, after: RunState, now: Micros): readonly object[] {
  const halted = after.status === 'completed' || after.status === 'blocked';
  if (!halted || before.status === after.status) return [];
  return [
    {
      run_id: after.run_id,
      project_id: after.project_id,
      status: after.status,
      phase: after.phase,
      accepted_turns: after.accepted_sequence,
      spent_usd: after.budget_status.spent_usd,
      blocked_on: after.blocked_on,
      started_at: after.created_at,
      recorded_at: formatMillis(now),
    },
  ];
}
