import { done, type Outcome, refuse } from '../../outcome.ts';
import type { HistoryRow } from '../../records.ts';

/** The accepted turn that is meant: the one named, or the last. */
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
        : `Turn ${turnId} is no accepted turn of this run.`,
    next: 'See which are: baton run history',
  });
}
