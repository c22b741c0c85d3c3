import type { GovernedConfig } from '../../config/config.ts';
import { routeOf } from '../../config/rules/phases.ts';
import type { Doc } from '../../document.ts';
import { RESERVED_PATHS } from '../../path-rules.ts';
import type { ActiveTurn, RunState } from '../../run-state.ts';

/** ASSIGNMENT.json: what the turn is, for programs. */
export function assignmentDocument(
  state: RunState,
  config: GovernedConfig,
  turn: ActiveTurn,
  stagingPath: string,
  warnings: readonly string[] = [],
): Doc {
  const siblings = Object.values(state.active_turns)
    .filter((other) => other.turn_id !== turn.turn_id)
    .map((other) => ({ turn_id: other.turn_id, role: other.assigned_role, status: other.status }));
  return {
    run_id: state.run_id,
    turn_id: turn.turn_id,
    phase: state.phase,
    role: turn.assigned_role,
    runtime_id: turn.runtime_id,
    write_authority: config.roles[turn.assigned_role]?.write_authority ?? 'authoritative',
    accepted_integration_ref: state.accepted_integration_ref,
    staging_result_path: stagingPath,
    reserved_paths: RESERVED_PATHS,
    allowed_next_roles: routeOf(config, state.phase)?.allowed_next_roles ?? [
      ...Object.keys(config.roles),
      'human',
    ],
    attempt: turn.attempt,
    deadline_at: turn.deadline_at,
    assigned_sequence: turn.assigned_sequence,
    budget_reservation_usd: state.budget_reservations[turn.turn_id] ?? null,
    active_siblings: siblings,
    ...(turn.conflict_context === undefined ? {} : { conflict_context: turn.conflict_context }),
    ...(turn.delegation_context === undefined ? {} : { delegation_context: turn.delegation_context }),
    ...(turn.delegation_review === undefined ? {} : { delegation_review: turn.delegation_review }),
    ...(warnings.length > 0 ? { advisory_warnings: warnings } : {}),
  };
}
