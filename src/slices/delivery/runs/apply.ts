import { refusalError } from '../errors.ts';
import type { Outcome } from '../outcome.ts';
import type { LockedRepository, RunRepository } from '../repository/repository.ts';
import type { Snapshot } from '../repository/snapshot.ts';
import { type CommandResult, commandResult } from './result.ts';
import type { Change } from './rules/change.ts';
import { runSummary } from './run-summary.ts';

/** Writes what a rule decided, or throws its refusal with nothing written. */
export async function applyChange(
  repository: RunRepository,
  locked: LockedRepository,
  snapshot: Snapshot,
  kind: string,
  outcome: Outcome<Change>,
): Promise<CommandResult> {
  if (!outcome.ok) throw refusalError(outcome.refusal);
  const { state, events, ledger, warnings } = outcome.value;
  const written = await locked.write({
    kind,
    state,
    events,
    ledger,
    runHistory: runSummary(snapshot.state, state, repository.clock.now()),
  });
  return commandResult(state, written, warnings);
}
