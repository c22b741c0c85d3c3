import { member } from '../../../kernel/json/loose.ts';
import { refusalError } from '../errors.ts';
import { passHooks } from '../hooks/pass.ts';
import { bundleDir, stagingDir } from '../repository/paths.ts';
import type { RunRepository } from '../repository/repository.ts';
import { type ActiveTurn, withTurn } from '../run-state.ts';
import { type CommandResult, commandResult } from '../runs/apply.ts';
import { eventOf } from '../runs/rules/change.ts';
import { type BundleExtras, sealBundle, writeBundle } from './bundle.ts';
import type { Manifest } from './rules/manifest.ts';
import { noSuchTurn } from './rules/target.ts';

export interface Dispatched extends CommandResult {
  readonly turn: ActiveTurn;
  readonly manifest: Manifest;
}

/** Writes and seals the turn's bundle. After that nobody may change it, and the agent may be called. */
export async function dispatch(
  repository: RunRepository,
  turnId: string,
  more: BundleExtras = {},
): Promise<Dispatched> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const turn = member(snapshot.state.active_turns, turnId);
    if (turn === undefined) throw refusalError(noSuchTurn(snapshot.state, turnId).refusal);
    await writeBundle(locked, turn, more);
    const dir = bundleDir(turnId);
    // Hooks may add files to the bundle, but not change those that are written here.
    const own = ['ASSIGNMENT.json', 'PROMPT.md', 'CONTEXT.md', ...Object.keys(more.files ?? {})];
    const alsoProtected = own.map((name) => `${dir}/${name}`);
    const warnings = await passHooks(locked, { phase: 'after_dispatch', turn, alsoProtected });
    const manifest = await sealBundle(locked, turn);
    const sent: ActiveTurn = { ...turn, status: 'dispatched' };
    const state = withTurn(snapshot.state, sent);
    const { attempt, runtime_id } = turn;
    const events = await locked.write({
      kind: 'dispatch',
      state,
      events: [eventOf(state, 'turn_dispatched', { attempt, runtime_id }, turn)],
      removes: [stagingDir(turnId)],
    });
    return { ...commandResult(state, events, warnings), turn: sent, manifest };
  });
}
