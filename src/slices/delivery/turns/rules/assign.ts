import type { Micros } from '../../../../kernel/clock.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import { member } from '../../../../kernel/json/loose.ts';
import { type GovernedConfig, routeOf } from '../../config/config.ts';
import { done, illegalTransition, type Outcome } from '../../outcome.ts';
import { type ActiveTurn, type Baseline, type RunState, withTurn } from '../../run-state.ts';
import { mayReserve, reservationFor } from '../../runs/rules/budget.ts';
import { type Change, change } from '../../runs/rules/change.ts';
import { claimDelegation } from './delegation.ts';

const MICROS_PER_MINUTE = 60_000_000;

export interface Assignment {
  readonly roleId: string;
  readonly turnId: string;
  readonly now: Micros;
  readonly baseline?: Baseline;
  /** Changed paths outside the orchestrator's own; undefined without git. */
  readonly dirtyPaths?: readonly string[] | undefined;
}

export interface Assigned extends Change {
  readonly turn: ActiveTurn;
}

/** Assigns a turn to a role. The guards are in the order in which a reader should hear about them. */
export function assignTurn(state: RunState, config: GovernedConfig, input: Assignment): Outcome<Assigned> {
  const refusal = guard(state, config, input);
  if (refusal !== undefined) return refusal;
  const sequence = state.turn_sequence + 1;
  const turn: ActiveTurn = {
    turn_id: input.turnId,
    run_id: state.run_id,
    assigned_role: input.roleId,
    runtime_id: config.roles[input.roleId]?.runtime_id ?? 'manual',
    status: 'assigned',
    attempt: 1,
    assigned_at: formatMillis(input.now),
    started_at: formatMillis(input.now),
    deadline_at: deadline(config, input.now),
    baseline: input.baseline ?? null,
    // Turns accepted from here on may conflict with this one.
    assigned_sequence: state.accepted_sequence,
    concurrent_with: Object.keys(state.active_turns),
  };
  const claimed = claimDelegation(state, turn);
  const next: RunState = {
    ...withTurn(claimed.state, claimed.turn),
    turn_sequence: sequence,
    next_recommended_role: null,
    budget_reservations: withReservation(state, config, turn.turn_id),
  };
  return done({ ...change(next), turn: claimed.turn });
}

export function deadline(config: GovernedConfig, now: Micros): string {
  return formatMillis(now + config.timeouts.per_turn_minutes * MICROS_PER_MINUTE);
}

function guard(state: RunState, config: GovernedConfig, input: Assignment) {
  if (state.status === 'blocked') {
    const action = state.blocked_reason?.recovery.recovery_action ?? 'baton run resume';
    return illegalTransition(
      'turn.assign',
      `The run is blocked on ${state.blocked_on ?? 'something'}.`,
      `Run: ${action}`,
      'status',
    );
  }
  if (state.status !== 'active') {
    return illegalTransition(
      'turn.assign',
      `Turns can only be assigned in an active run; this one is ${state.status}.`,
      state.status === 'idle' ? 'Start it: baton run start' : 'See: baton run status',
      'status',
    );
  }
  const role = member(config.roles, input.roleId);
  if (role === undefined) {
    const known = Object.keys(config.roles).join(', ');
    return illegalTransition(
      'turn.role_known',
      `"${input.roleId}" is not a role.`,
      `Use one of: ${known}.`,
      'role_id',
    );
  }
  if (member(config.runtimes, role.runtime_id) === undefined) {
    return illegalTransition(
      'turn.role_has_runtime',
      `Role "${input.roleId}" has no declared runtime.`,
      `Declare runtimes.${role.runtime_id || '<id>'} in agentxchain.json.`,
      `roles.${input.roleId}.runtime`,
    );
  }
  return (
    concurrencyGuard(state, config, input.roleId) ??
    budgetGuard(state, config) ??
    treeGuard(role.write_authority, input)
  );
}

function concurrencyGuard(state: RunState, config: GovernedConfig, roleId: string) {
  const active = Object.values(state.active_turns);
  const cap = routeOf(config, state.phase)?.max_concurrent_turns ?? 1;
  const [first] = active;
  if (cap === 1 && first !== undefined) {
    return illegalTransition(
      'turn.one_at_a_time',
      `Turn ${first.turn_id} is in progress and phase "${state.phase}" allows one turn at a time.`,
      `Finish it: baton run accept --turn ${first.turn_id}`,
      'active_turns',
    );
  }
  if (active.some((turn) => turn.assigned_role === roleId)) {
    return illegalTransition(
      'turn.one_per_role',
      `Role "${roleId}" has a turn in progress.`,
      'Assign another role.',
      'role_id',
    );
  }
  if (active.length >= cap) {
    return illegalTransition(
      'turn.concurrency_cap',
      `Phase "${state.phase}" allows ${cap} turns at a time, and all are in use.`,
      'Accept or reject one of them first.',
      `routing.${state.phase}.max_concurrent_turns`,
    );
  }
  return undefined;
}

function budgetGuard(state: RunState, config: GovernedConfig) {
  const verdict = mayReserve(state, config.budget);
  if (verdict.fits) return undefined;
  return illegalTransition(
    'turn.budget',
    verdict.why,
    'Raise budget.per_run_max_usd in agentxchain.json.',
    'budget.per_run_max_usd',
  );
}

function treeGuard(authority: string, input: Assignment) {
  const dirty = input.dirtyPaths ?? [];
  if (authority === 'review_only' || dirty.length === 0) return undefined;
  return illegalTransition(
    'turn.clean_tree',
    `The work tree has changes that no turn made: ${dirty.slice(0, 5).join(', ')}${dirty.length > 5 ? ', …' : ''}.`,
    'Commit or discard them, then retry.',
    'worktree',
  );
}

function withReservation(
  state: RunState,
  config: GovernedConfig,
  turnId: string,
): RunState['budget_reservations'] {
  const usd = reservationFor(config.budget);
  return usd === 0 ? state.budget_reservations : { ...state.budget_reservations, [turnId]: usd };
}
