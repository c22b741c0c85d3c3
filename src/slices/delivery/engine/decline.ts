import type { RunRepository } from '../repository/repository.ts';
import type { Approval } from '../rules/run/approve.ts';
import { declineAtGate } from '../rules/run/decline.ts';
import { applyChange } from './apply.ts';
import type { CommandResult } from './result.ts';

export async function declineGate(repository: RunRepository, said: Approval = {}): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const outcome = declineAtGate(snapshot.state, said, repository.clock.now());
    return applyChange(repository, locked, snapshot, 'decline', outcome);
  });
}
