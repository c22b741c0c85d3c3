import type { Micros } from '../../../../kernel/clock.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import { containedPath } from '../../path-rules.ts';
import type { HistoryRow } from '../../records.ts';
import { type ActiveTurn, type ConflictRecord, type RunState, withTurn } from '../../run-state.ts';
import { blocked, type Change, change, eventOf } from '../../runs/rules/change.ts';

const MERGE_BY_HAND_FROM = 0.5;
const MAX_DETECTIONS = 3;

export interface Conflict {
  readonly record: ConflictRecord | null;
  /** Planning files that the same role has revised since: harmless, but recorded in the ledger. */
  readonly revised: readonly string[];
}

/** Finds files of this turn that a turn accepted in the meantime has changed as well. */
export function detectConflict(
  turn: ActiveTurn,
  files: readonly string[],
  history: readonly HistoryRow[],
): Conflict {
  const mine = new Set(files.map((path) => containedPath(path) ?? path));
  const since = history.filter(
    (row) => row.accepted_sequence > turn.assigned_sequence && row.turn_id !== turn.turn_id,
  );
  const conflicting = new Set<string>();
  const revised = new Set<string>();
  const colliding: string[] = [];
  for (const row of since) {
    const shared = row.files_changed
      .map((path) => containedPath(path) ?? path)
      .filter((path) => mine.has(path));
    const hard = shared.filter((path) => !(row.role === turn.assigned_role && path.startsWith('.planning/')));
    for (const path of shared) (hard.includes(path) ? conflicting : revised).add(path);
    if (hard.length > 0) colliding.push(row.turn_id);
  }
  if (conflicting.size === 0) return { record: null, revised: [...revised] };
  return { record: conflictRecord([...conflicting], colliding, mine.size), revised: [...revised] };
}

export function conflictRecord(
  conflicting: readonly string[],
  since: readonly string[],
  changed: number,
): ConflictRecord {
  const ratio = conflicting.length / Math.max(1, changed);
  return {
    conflicting_files: conflicting,
    accepted_since: since,
    overlap_ratio: Math.round(ratio * 1000) / 1000,
    suggested_resolution: ratio < MERGE_BY_HAND_FROM ? 'reject_and_reassign' : 'human_merge',
  };
}

/** Marks the turn as conflicted; the third time, the run waits for a person. */
export function markConflicted(
  state: RunState,
  turn: ActiveTurn,
  record: ConflictRecord,
  now: Micros,
): Change {
  const detections = (turn.conflict_state?.detections ?? 0) + 1;
  const marked: ActiveTurn = {
    ...turn,
    status: 'conflicted',
    conflict_state: { ...record, detections, detected_at: formatMillis(now) },
  };
  const held = withTurn(state, marked);
  const next = detections < MAX_DETECTIONS ? held : loop(held, turn, record, now);
  const payload = { ...record, detections };
  return change(next, {
    events: [
      eventOf(next, 'turn_conflicted', payload, turn),
      ...(next.status === 'blocked'
        ? [eventOf(next, 'run_blocked', { blocked_on: next.blocked_on }, turn)]
        : []),
    ],
    ledger: [
      {
        decision: 'conflict_detected',
        run_id: state.run_id,
        turn_id: turn.turn_id,
        ...payload,
        created_at: formatMillis(now),
      },
    ],
  });
}

function loop(state: RunState, turn: ActiveTurn, record: ConflictRecord, now: Micros): RunState {
  return blocked(
    state,
    {
      blockedOn: `human:conflict_loop:${turn.turn_id}`,
      category: 'conflict',
      typedReason: 'conflict_loop',
      detail: `Turn ${turn.turn_id} conflicts for the third time over ${record.conflicting_files.join(', ')}.`,
      turnId: turn.turn_id,
      turnRetained: true,
      recoveryAction: `baton run accept --turn ${turn.turn_id} --merged`,
    },
    now,
  );
}
