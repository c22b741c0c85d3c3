import { member } from '../../../../kernel/json/loose.ts';
import { type GovernedConfig, rolesInPhase, routeOf } from '../../config/config.ts';
import type { HistoryRow } from '../../records.ts';
import type { RunState } from '../../run-state.ts';

export interface RoleChoice {
  readonly role: string | undefined;
  readonly because:
    | 'override'
    | 'delegation_review'
    | 'delegation'
    | 'recommended'
    | 'entry_role'
    | 'first_role'
    | 'none';
  readonly warning?: string;
}

export function chooseRole(state: RunState, config: GovernedConfig, override?: string): RoleChoice {
  const review = state.pending_delegation_review?.parent_role;
  const delegated = state.delegation_queue.find((entry) => entry.status === 'pending')?.to_role;
  if (override !== undefined) {
    const due = review ?? delegated;
    return {
      role: override,
      because: 'override',
      ...(due !== undefined && due !== override
        ? { warning: `"${due}" is due by delegation and was skipped.` }
        : {}),
    };
  }
  if (review !== undefined) return { role: review, because: 'delegation_review' };
  if (delegated !== undefined) return { role: delegated, because: 'delegation' };
  const recommended = state.next_recommended_role;
  if (recommended !== null && mayFollow(config, state.phase, recommended)) {
    return { role: recommended, because: 'recommended' };
  }
  const entry = routeOf(config, state.phase)?.entry_role;
  if (entry !== undefined) return { role: entry, because: 'entry_role' };
  const [first] = Object.keys(config.roles);
  return first === undefined ? { role: undefined, because: 'none' } : { role: first, because: 'first_role' };
}

function mayFollow(config: GovernedConfig, phase: string, role: string): boolean {
  if (member(config.roles, role) === undefined) return false;
  const allowed = routeOf(config, phase)?.allowed_next_roles;
  return allowed === undefined || allowed.includes(role) || routeOf(config, phase)?.entry_role === role;
}

/**
 * The roles that may begin a turn now, in order, up to the limit of the phase. Roles that write and have had no turn in
 * this phase work side by side; a reviewer waits until the work or a recommendation calls for one.
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

/** A request to move on waits for the last turn; a review of delegated work is done alone. */
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
