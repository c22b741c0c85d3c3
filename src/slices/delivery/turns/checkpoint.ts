import { asRecord, isString } from '../../../kernel/json/loose.ts';
import { deliveryErrors, refusalError } from '../errors.ts';
import { git, headOf } from '../repository/git.ts';
import { vouchFor } from '../repository/keep.ts';
import type { RunRepository } from '../repository/repository.ts';
import { eventOf } from '../runs/rules/change.ts';
import { acceptedTurn } from './rules/target.ts';

export function commitMessage(role: string, summary: string, turnId: string, runId: string | null): string {
  return `${role}: ${summary.split('\n')[0]?.slice(0, 72)}\n\nTurn ${turnId} of run ${runId}.`;
}

export interface Checkpoint {
  readonly turnId: string;
  readonly commit: string;
}

/** Commits only what an accepted turn changed, so that the next one starts from a clean tree. */
export async function checkpointTurn(repository: RunRepository, turnId?: string): Promise<Checkpoint> {
  return repository.exclusively(async ({ snapshot, keep, write }) => {
    const { history, state } = snapshot;
    const accepted = acceptedTurn(history, turnId);
    if (!accepted.ok) throw refusalError(accepted.refusal);
    const row = accepted.value;
    const { commit: made } = asRecord(row.observed_artifact);
    if (isString(made)) return { turnId: row.turn_id, commit: made };
    // Without a path, git would commit everything.
    if (row.files_changed.length === 0) {
      throw deliveryErrors.checkpoint_failed({
        message: `Turn ${row.turn_id} changed no file, so there is nothing to commit.`,
        next: 'Go on: baton run status',
      });
    }
    const message = commitMessage(row.role, row.summary, row.turn_id, row.run_id);
    const staged = await git(repository.root, ['add', '-A', '--', ...row.files_changed]);
    const committed =
      staged === undefined
        ? undefined
        : await git(repository.root, ['commit', '-q', '-F', '-', '--', ...row.files_changed], message);
    const commit = await headOf(repository.root);
    if (committed === undefined || commit === null) {
      throw deliveryErrors.checkpoint_failed({ details: { turn_id: row.turn_id, files: row.files_changed } });
    }
    await vouchFor(keep, [commit]);
    const next = { ...state, accepted_integration_ref: `git:${commit}` };
    await write({
      kind: 'checkpoint',
      state: next,
      events:
        state.status === 'completed'
          ? []
          : [
              eventOf(
                next,
                'turn_checkpointed',
                { commit },
                { turn_id: row.turn_id, assigned_role: row.role },
              ),
            ],
    });
    return { turnId: row.turn_id, commit };
  });
}
