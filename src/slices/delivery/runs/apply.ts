import type { Micros } from '../../../kernel/clock.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { refusalError } from '../errors.ts';
import type { Outcome } from '../outcome.ts';
import type { RunEvent } from '../records.ts';
import type { LockedRepository } from '../repository/repository.ts';
import type { RunState } from '../run-state.ts';
import type { Change } from './rules/change.ts';
import { nextCommand } from './rules/next-command.ts';

/** What every command answers: the state of the run, what happened, and the command to run next. */
export interface CommandResult {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly warnings: readonly string[];
  readonly next: string;
}

export function commandResult(
  state: RunState,
  events: readonly RunEvent[],
  warnings: readonly string[] = [],
): CommandResult {
  return { state, events, warnings, next: nextCommand(state) };
}

/** Writes what a rule decided. If the rule refused, throws and writes nothing. */
export async function applyChange(
  locked: LockedRepository,
  kind: string,
  outcome: Outcome<Change>,
): Promise<CommandResult> {
  if (!outcome.ok) throw refusalError(outcome.refusal);
  const { state, events, ledger, warnings } = outcome.value;
  const runHistory = runSummary(locked.snapshot.state, state, locked.clock.now());
  const written = await locked.write({ kind, state, events, ledger, runHistory });
  return commandResult(state, written, warnings);
}

/** The row that run-history.jsonl gets when a run completes or blocks. */
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
