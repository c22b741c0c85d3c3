import { readFile, rm } from 'node:fs/promises';
import { formatMillis } from '../../../kernel/instant.ts';
import { asList, asRecord, isString } from '../../../kernel/json/loose.ts';
import { deliveryErrors } from '../errors.ts';
import { parseDocument } from '../parse.ts';
import { containedPath, isReservedPath } from '../path-rules.ts';
import { writeAtomically } from '../repository/files.ts';
import { fileSafe, within } from '../repository/paths.ts';
import type { RunRepository } from '../repository/repository.ts';

export interface AppliedProposal {
  readonly turnId: string;
  readonly written: readonly string[];
  readonly deleted: readonly string[];
}

/** Applies what a role without write access proposed. Every path is checked again before the first one changes. */
export async function applyProposal(repository: RunRepository, turnId: string): Promise<AppliedProposal> {
  const base = `.agentxchain/proposed/${fileSafe(turnId)}`;
  return repository.exclusively(async ({ snapshot, write }) => {
    const bytes = await readFile(within(repository.root, `${base}/PROPOSAL.json`)).catch((cause) => {
      throw deliveryErrors.proposal_missing({ message: `Turn ${turnId} has no proposal.`, cause });
    });
    const changes = asList(asRecord(parseDocument(bytes)).changes).map((raw) => {
      const { path, action } = asRecord(raw);
      const contained = isString(path) ? containedPath(path) : undefined;
      if (contained === undefined || isReservedPath(contained)) {
        throw deliveryErrors.proposal_unsafe({
          message: `The proposal names ${String(path)}.`,
          details: { path },
        });
      }
      return { path: contained, deletes: action === 'delete' };
    });
    for (const { path, deletes } of changes) {
      if (deletes) await rm(within(repository.root, path), { force: true });
      else
        await writeAtomically(
          within(repository.root, path),
          await readFile(within(repository.root, `${base}/files/${path}`)),
        );
    }
    await write({
      kind: 'proposal',
      ledger: [
        {
          decision: 'proposal_applied',
          run_id: snapshot.state.run_id,
          turn_id: turnId,
          created_at: formatMillis(repository.clock.now()),
        },
      ],
      removes: [base],
    });
    return {
      turnId,
      written: changes.filter((change) => !change.deletes).map((change) => change.path),
      deleted: changes.filter((change) => change.deletes).map((change) => change.path),
    };
  });
}
