import { member } from '../../../../../kernel/json/loose.ts';
import { type GovernedConfig, type Role, routeOf } from '../../../config/config.ts';
import type { HistoryRow } from '../../../records.ts';
import type { ActiveTurn, RunState } from '../../../run-state.ts';

export type Stage = 'schema' | 'assignment' | 'artifact' | 'verification' | 'protocol';

/** Everything that the checks of a turn result may look at. */
export interface TurnContext {
  readonly state: RunState;
  readonly config: GovernedConfig;
  /** The turn that the result is for; undefined if no active turn matches. */
  readonly turn: ActiveTurn | undefined;
  /** Accepted turns of this run. */
  readonly history: readonly HistoryRow[];
  /** Decision ids that the run's ledger already holds. */
  readonly takenDecisionIds: ReadonlySet<string>;
}

export function roleOf(context: TurnContext): Role | undefined {
  return context.turn === undefined ? undefined : member(context.config.roles, context.turn.assigned_role);
}

/** The turn that a result is for: the one it names, or the only one. */
export function turnInView(state: RunState, turnId: unknown): ActiveTurn | undefined {
  const turns = Object.values(state.active_turns);
  return turns.find((turn) => turn.turn_id === turnId) ?? (turns.length === 1 ? turns[0] : undefined);
}

/** A phase that lists no roles allows all of them; a listed role must also exist. */
export function isLegalNext({ config, state }: TurnContext, role: string): boolean {
  const allowed = routeOf(config, state.phase)?.allowed_next_roles;
  if (role === 'human') return allowed === undefined || allowed.includes('human');
  return (allowed === undefined || allowed.includes(role)) && member(config.roles, role) !== undefined;
}
