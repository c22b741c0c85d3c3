import type { RunRepository } from '../repository/repository.ts';
import { applyChange } from '../runs/apply.ts';
import type { CommandResult } from '../runs/result.ts';
import type { Approval } from './rules/approve.ts';
import { declineAtGate } from './rules/decline.ts';

export async function declineGate(repository: RunRepository, said: Approval = {}): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const outcome = declineAtGate(snapshot.state, said, repository.clock.now());
    return applyChange(repository, locked, snapshot, 'decline', outcome);
  });
}
