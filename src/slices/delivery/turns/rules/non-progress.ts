import type { Micros } from '../../../../kernel/clock.ts';
import { asList, asRecord } from '../../../../kernel/json/loose.ts';
import type { GovernedConfig } from '../../config/config.ts';
import type { HistoryRow } from '../../records.ts';
import { blocked, type Change, eventOf } from '../../runs/rules/change.ts';

/**
 * Stops a run whose turns produce nothing. The count works in rounds, so that resuming the run allows as many turns
 * again.
 */
export function stopWithoutProgress(
  moved: Change,
  config: GovernedConfig,
  history: readonly HistoryRow[],
  now: Micros,
): Change {
  const idle = idleTurns(history, moved.state.phase);
  if (moved.state.status !== 'active' || idle === 0 || idle % config.maxIdleTurns !== 0) return moved;
  const detail = `The last ${idle} turns of "${moved.state.phase}" changed no file, decided nothing and delegated nothing.`;
  const state = blocked(
    moved.state,
    {
      blockedOn: 'non_progress',
      category: 'non_progress',
      typedReason: 'non_progress',
      detail,
      recoveryAction: 'baton run resume',
    },
    now,
  );
  return {
    ...moved,
    state,
    events: [...moved.events, eventOf(state, 'run_blocked', { blocked_on: state.blocked_on, detail })],
  };
}

/** How many turns at the end of the phase produced nothing. A proposal counts as a result. */
function idleTurns(history: readonly HistoryRow[], phase: string): number {
  const ofPhase = history.filter((row) => row.phase === phase);
  const last = ofPhase.findLastIndex((row) => !isIdle(row));
  return ofPhase.length - 1 - last;
}

function isIdle(row: HistoryRow): boolean {
  const { type } = asRecord(row.artifact);
  return (
    row.files_changed.length === 0 &&
    asList(row.decisions).length === 0 &&
    asList(row.delegations_issued).length === 0 &&
    type !== 'patch' &&
    type !== 'commit'
  );
}
