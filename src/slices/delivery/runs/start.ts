import { requireKnownKeys } from '../config/known-keys.ts';
import { activeRepoDecisions } from '../decisions/rules.ts';
import { headOf } from '../repository/git.ts';
import type { RunRepository } from '../repository/repository.ts';
import type { Intent, Provenance } from '../run-state.ts';
import { applyChange, type CommandResult } from './apply.ts';
import { initializeRun } from './rules/initialize.ts';

export interface StartOptions {
  readonly restart?: boolean;
  readonly provenance?: Provenance;
  /** Where to begin, for a run that continues what another one did; the first phase by default. */
  readonly phase?: string;
  /** What the run is for, where that is not the goal of the whole project. */
  readonly intent?: Intent;
}

export async function startRun(
  repository: RunRepository,
  options: StartOptions = {},
): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const ignored = requireKnownKeys(snapshot.rawConfig);
    const head = await headOf(locked.root);
    const outcome = initializeRun(snapshot.state, {
      rawConfig: snapshot.rawConfig,
      runId: locked.newId('run'),
      now: locked.clock.now(),
      repoDecisions: activeRepoDecisions(snapshot.repoDecisions),
      ...(head === null ? {} : { headRef: `git:${head}` }),
      ...options,
    });
    const started = await applyChange(locked, 'start', outcome);
    return { ...started, warnings: [...ignored, ...started.warnings] };
  });
}
