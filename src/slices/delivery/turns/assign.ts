import { member } from '../../../kernel/json/loose.ts';
import { requireKnownKeys } from '../config/known-keys.ts';
import { refusalError } from '../errors.ts';
import { passHooks } from '../hooks/pass.ts';
import { statusOf } from '../repository/git.ts';
import type { RunRepository } from '../repository/repository.ts';
import type { ActiveTurn } from '../run-state.ts';
import { type CommandResult, commandResult } from '../runs/apply.ts';
import { chooseRole } from '../runs/rules/choose-role.ts';
import { takeBaseline, unexplainedChanges } from './observe.ts';
import { assignTurn } from './rules/assign.ts';

export interface Assigned extends CommandResult {
  readonly turn: ActiveTurn;
}

/** Assigns the next turn: to the role named, or to the one whose turn it is. */
export async function assign(repository: RunRepository, roleId?: string): Promise<Assigned> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    requireKnownKeys(snapshot.rawConfig);
    const choice = chooseRole(snapshot.state, snapshot.config, roleId);
    let seen = await statusOf(locked.root);
    const dirty = await unexplainedChanges(locked, snapshot.history, seen);
    // Turns that run side by side change each other's tree, so its state proves nothing.
    const alone = Object.keys(snapshot.state.active_turns).length === 0;
    const decide = async () =>
      assignTurn(snapshot.state, snapshot.config, {
        roleId: choice.role ?? '',
        turnId: locked.newId('turn'),
        now: locked.clock.now(),
        baseline: await takeBaseline(locked, snapshot.config, seen),
        dirtyPaths: alone ? dirty : undefined,
      });
    const possible = await decide();
    if (!possible.ok) throw refusalError(possible.refusal);
    const payload = { role: choice.role ?? null };
    const warnings = await passHooks(locked, { phase: 'before_assignment', payload });
    // Hooks may take a while: take the baseline that the agent will actually find.
    const hooked = (member(snapshot.config.hooks, 'before_assignment') ?? []).length > 0;
    if (hooked) seen = undefined;
    const outcome = hooked ? await decide() : possible;
    if (!outcome.ok) throw refusalError(outcome.refusal);
    const { state, turn, events } = outcome.value;
    const written = await locked.write({ kind: 'assign', state, events });
    const passedOver = choice.warning === undefined ? [] : [choice.warning];
    return { ...commandResult(state, written, [...passedOver, ...warnings]), turn };
  });
}
