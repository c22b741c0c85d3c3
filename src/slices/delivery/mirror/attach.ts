import { realpath } from 'node:fs/promises';
import { prefixedId } from '../../../kernel/ids.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import { deliveryErrors } from '../errors.ts';
import type { DeliveryDeps } from '../ports.ts';
import { type Attachment, readRecord, writeRecord } from '../repository/keep.ts';
import { FILES } from '../repository/paths.ts';
import { documentText, type RunRepository } from '../repository/repository.ts';
import { readSnapshot } from '../repository/snapshot.ts';
import { type AttachedRepository, insertRepository, selectByRoot } from './store.ts';

/** Attaches a governed repository to a project. Attaching it again changes nothing; to another project is refused. */
export async function attachRepository(
  deps: Pick<DeliveryDeps, 'db' | 'clock' | 'random'>,
  request: { readonly root: string; readonly projectId: string; readonly by: Actor },
): Promise<AttachedRepository> {
  const root = await realpath(request.root).catch((cause) => {
    throw deliveryErrors.run_not_initialized({ message: `There is no directory ${request.root}.`, cause });
  });
  await readSnapshot(root);
  return deps.db.write(async (uow) => {
    await uow.lock(`delivery-root:${root}`);
    const known = await selectByRoot(uow, root);
    if (known !== undefined) {
      if (known.projectId === request.projectId) return known;
      throw deliveryErrors.repository_taken();
    }
    const now = deps.clock.now();
    const repository = {
      repositoryId: prefixedId('repo', deps.random),
      projectId: request.projectId,
      root,
      attachedAt: formatMicros(now),
      attachedBy: request.by,
    };
    await insertRepository(uow, repository, now);
    return { ...repository, eventsSeen: 0 };
  });
}

/** Leaves word of the project, in the repository and out of its reach: from now on decisions need a credential. */
export async function noteAttachment(repository: RunRepository, attached: Attachment): Promise<void> {
  await repository.exclusively(async ({ keep, write }) => {
    const known = (await readRecord(keep)).attached;
    if (known?.repository_id === attached.repository_id) return;
    await write({ kind: 'attach', files: [{ file: FILES.attached, text: documentText(attached) }] });
    await writeRecord(keep, { attached });
  });
}
