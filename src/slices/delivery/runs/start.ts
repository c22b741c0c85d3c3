import { activeRepoDecisions } from '../decisions/rules.ts';
import { headOf } from '../repository/git.ts';
import type { RunRepository } from '../repository/repository.ts';
import type { Provenance } from '../run-state.ts';
import { applyChange, type CommandResult } from './apply.ts';
import { initializeRun } from './rules/initialize.ts';

export interface StartOptions {
  readonly restart?: boolean;
  readonly provenance?: Provenance;
}

export async function startRun(
  repository: RunRepository,
  options: StartOptions = {},
): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const head = await headOf(locked.root);
    const outcome = initializeRun(snapshot.state, {
      rawConfig: snapshot.rawConfig,
      runId: locked.newId('run'),
      now: locked.clock.now(),
      repoDecisions: activeRepoDecisions(snapshot.repoDecisions),
      ...(head === null ? {} : { headRef: `git:${head}` }),
      ...options,
    });
    return applyChange(locked, 'start', outcome);
  });
}
