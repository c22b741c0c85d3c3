import { refusalError } from '../errors.ts';
import type { RunRepository } from '../repository/repository.ts';
import { isExhausted } from '../rules/budget/budget.ts';
import { done, illegalTransition } from '../rules/outcome.ts';
import { escalate as escalateRun } from '../rules/run/escalate.ts';
import { resumeRun } from '../rules/run/resume.ts';
import { applyTimeout } from '../rules/run/timeouts.ts';
import { applyChange } from './apply.ts';
import { observeHooks } from './hooks.ts';
import { type CommandResult, commandResult } from './result.ts';

export async function resume(repository: RunRepository, by?: string): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const { state, config } = snapshot;
    if (
      state.blocked_on === 'budget:exhausted' &&
      isExhausted(state, config.budget) &&
      config.budget.on_exceed !== 'warn'
    ) {
      throw refusalError(
        illegalTransition(
          'run.resume_without_budget',
          `${state.budget_status.spent_usd} of ${config.budget.per_run_max_usd} USD are spent.`,
          'Raise budget.per_run_max_usd in agentxchain.json first.',
          'budget.per_run_max_usd',
        ).refusal,
      );
    }
    return applyChange(repository, locked, snapshot, 'resume', resumeRun(state, by, repository.clock.now()));
  });
}

export async function escalate(
  repository: RunRepository,
  reason: string,
  by?: string,
): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const outcome = escalateRun(
      snapshot.state,
      { reason, ...(by === undefined ? {} : { by }) },
      repository.clock.now(),
    );
    const result = await applyChange(repository, locked, snapshot, 'escalate', outcome);
    await observeHooks(repository, locked, await locked.reread(), {
      phase: 'on_escalation',
      payload: { reason },
    });
    return result;
  });
}

/** Acts on whatever has taken too long; undefined when nothing has. */
export async function enforceTimeouts(repository: RunRepository): Promise<CommandResult | undefined> {
  const before = await repository.snapshot();
  if (applyTimeout(before.state, before.config, repository.clock.now()) === undefined) return undefined;
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const change = applyTimeout(snapshot.state, snapshot.config, repository.clock.now());
    if (change === undefined) return undefined;
    if (change.state === snapshot.state) return commandResult(snapshot.state, [], change.warnings);
    return applyChange(repository, locked, snapshot, 'timeout', done(change));
  });
}
