import { member } from '../../../kernel/json/loose.ts';
import { phasesOf } from '../config/config.ts';
import { type CurrentGate, currentGate } from '../gates/current-gate.ts';
import { bundleDir, stagingPath } from '../repository/paths.ts';
import type { RunRepository } from '../repository/repository.ts';
import type { ActiveTurn, RunState } from '../run-state.ts';
import { hasStaged } from '../turns/staging.ts';
import { chooseRole } from './rules/choose-role.ts';
import { nextCommand } from './rules/next-command.ts';
import { type Timeout, timeoutsDue } from './rules/timeouts.ts';
import { type Waiting, waitsFor } from './rules/waits-for.ts';

export type TurnStanding = ActiveTurn & {
  readonly staged: boolean;
  /** Where a person finds the prompt and puts the result; null unless the runtime is manual. */
  readonly by_hand: { readonly prompt: string; readonly result: string } | null;
};

export interface RunStatusReport {
  readonly state: RunState;
  readonly phases: readonly string[];
  readonly turns: readonly TurnStanding[];
  readonly gate: CurrentGate | null;
  /** The role whose turn comes next, if the run may continue. */
  readonly nextRole: string | null;
  readonly overdue: readonly Timeout[];
  readonly acceptedTurns: number;
  /** The command to run next. */
  readonly next: string;
  /** Whom it waits for, and why; null where the next command changes something by itself. */
  readonly waitsFor: Waiting | null;
}

export async function runStatus(repository: RunRepository): Promise<RunStatusReport> {
  const snapshot = await repository.snapshot();
  const { state, config } = snapshot;
  const staged = new Set<string>();
  for (const id of Object.keys(state.active_turns)) if (await hasStaged(repository.root, id)) staged.add(id);
  const turns = Object.values(state.active_turns).map((turn) => ({
    ...turn,
    staged: staged.has(turn.turn_id),
    by_hand:
      member(config.runtimes, turn.runtime_id)?.type === 'manual'
        ? { prompt: `${bundleDir(turn.turn_id)}/PROMPT.md`, result: stagingPath(turn.turn_id) }
        : null,
  }));
  return {
    state,
    phases: phasesOf(config),
    turns,
    gate: (await currentGate(repository, snapshot)) ?? null,
    nextRole:
      state.status === 'active' && turns.length === 0 ? (chooseRole(state, config).role ?? null) : null,
    overdue: timeoutsDue(state, config, repository.clock.now()),
    acceptedTurns: snapshot.history.length,
    next: nextCommand(state, staged),
    waitsFor: waitsFor(state, config, staged) ?? null,
  };
}
