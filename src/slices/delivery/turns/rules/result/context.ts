import type { GovernedConfig, Role } from '../../../config/config.ts';
import { member } from '../../../document.ts';
import type { HistoryRow } from '../../../records.ts';
import type { ActiveTurn, RunState } from '../../../run-state.ts';

/** Everything that judging one turn's result may look at. */
export interface TurnContext {
  readonly state: RunState;
  readonly config: GovernedConfig;
  /** The one turn in view; undefined when no active turn could be meant. */
  readonly turn: ActiveTurn | undefined;
  /** Accepted turns of this run. */
  readonly history: readonly HistoryRow[];
  /** Decision ids that the run's ledger already holds. */
  readonly takenDecisionIds: ReadonlySet<string>;
}

export function roleOf(context: TurnContext): Role | undefined {
  return context.turn === undefined ? undefined : member(context.config.roles, context.turn.assigned_role);
}

/** The turn that a result is about: the one it names, or the only one there is. */
export function turnInView(state: RunState, turnId: unknown): ActiveTurn | undefined {
  const turns = Object.values(state.active_turns);
  return turns.find((turn) => turn.turn_id === turnId) ?? (turns.length === 1 ? turns[0] : undefined);
}
