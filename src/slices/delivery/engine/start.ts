import { headOf } from '../git/git.ts';
import type { Provenance } from '../model/run-state.ts';
import type { RunRepository } from '../repository/repository.ts';
import { activeRepoDecisions } from '../rules/decisions/repo-decisions.ts';
import { initializeRun } from '../rules/run/initialize.ts';
import { applyChange } from './apply.ts';
import type { CommandResult } from './result.ts';

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
    const head = await headOf(repository.root);
    const outcome = initializeRun(snapshot.state, {
      rawConfig: snapshot.rawConfig,
      runId: repository.newId('run'),
      now: repository.clock.now(),
      repoDecisions: activeRepoDecisions(snapshot.repoDecisions),
      ...(head === null ? {} : { headRef: `git:${head}` }),
      ...options,
    });
    return applyChange(repository, locked, snapshot, 'start', outcome);
  });
}
