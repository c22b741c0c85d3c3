import { refusalError } from '../errors.ts';
import { observeHooks } from '../hooks/pass.ts';
import { done } from '../outcome.ts';
import type { RunRepository } from '../repository/repository.ts';
import { applyChange, type CommandResult, commandResult } from './apply.ts';
import { requireCredential } from './attachment.ts';
import { escalate as escalateRun } from './rules/escalate.ts';
import { applyLimits } from './rules/limits.ts';
import { resumeRun, standingLimit } from './rules/resume.ts';

export async function resume(
  repository: RunRepository,
  by?: string,
  credentialed?: boolean,
): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const { state, config } = locked.snapshot;
    await requireCredential(locked, credentialed);
    const standing = standingLimit(state, config, locked.clock.now());
    if (standing !== undefined) throw refusalError(standing);
    return applyChange(locked, 'resume', resumeRun(state, by, locked.clock.now()));
  });
}

export async function escalate(
  repository: RunRepository,
  reason: string,
  by?: string,
): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const outcome = escalateRun(locked.snapshot.state, { reason, by }, locked.clock.now());
    const result = await applyChange(locked, 'escalate', outcome);
    const after = { ...locked, snapshot: await locked.reread() };
    await observeHooks(after, { phase: 'on_escalation', payload: { reason } });
    return result;
  });
}

/** Acts on the first limit that has been exceeded; undefined if none has. */
export async function enforceLimits(repository: RunRepository): Promise<CommandResult | undefined> {
  const before = await repository.snapshot();
  if (applyLimits(before.state, before.config, repository.clock.now()) === undefined) return undefined;
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const change = applyLimits(snapshot.state, snapshot.config, locked.clock.now());
    if (change === undefined) return undefined;
    if (change.state === snapshot.state) return commandResult(snapshot.state, [], change.warnings);
    return applyChange(locked, 'limit', done(change));
  });
}
