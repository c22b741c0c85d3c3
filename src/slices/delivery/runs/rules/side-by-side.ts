import type { GovernedConfig } from '../../config/config.ts';
import { rolesInPhase, routeOf } from '../../config/rules/phases.ts';
import type { HistoryRow } from '../../records.ts';
import type { RunState } from '../../run-state.ts';
import { chooseRole, mayFollow } from './choose-role.ts';

/**
 * Who may begin a turn now, in order, as many as the phase still takes. Whoever writes and has not been heard in this
 * phase works beside the others; a reviewer waits until the work or a recommendation calls for one.
 */
export function rolesToAssign(
  state: RunState,
  config: GovernedConfig,
  history: readonly HistoryRow[],
): readonly string[] {
  const busy = new Set(Object.values(state.active_turns).map((turn) => turn.assigned_role));
  if (busy.size > 0 && isWindingDown(state)) return [];
  const cap = routeOf(config, state.phase)?.max_concurrent_turns ?? 1;
  const first = busy.size === 0 ? [chooseRole(state, config).role ?? ''] : [];
  const beside = isWindingDown(state) ? [] : besides(state, config, history);
  return [...new Set([...first, ...beside])]
    .filter((role) => !busy.has(role))
    .slice(0, Math.max(0, cap - busy.size));
}

/** A request to move on is decided when the last turn is in, and a review of delegated work is taken alone. */
function isWindingDown(state: RunState): boolean {
  return (
    state.queued_phase_transition !== null ||
    state.queued_run_completion !== null ||
    state.pending_delegation_review !== null
  );
}

function besides(state: RunState, config: GovernedConfig, history: readonly HistoryRow[]): readonly string[] {
  const delegated = state.delegation_queue
    .filter(({ status }) => status === 'pending')
    .map(({ to_role }) => to_role);
  const recommended = state.next_recommended_role;
  const heard = new Set(history.filter((row) => row.phase === state.phase).map((row) => row.role));
  const makers = rolesInPhase(config, state.phase).filter(
    (role) => config.roles[role]?.write_authority !== 'review_only' && !heard.has(role),
  );
  return [
    ...delegated,
    ...(recommended !== null && mayFollow(config, state.phase, recommended) ? [recommended] : []),
    ...(delegated.length > 0 ? [] : makers),
  ];
}
