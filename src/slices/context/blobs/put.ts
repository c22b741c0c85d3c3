import type { Actor } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { ContextDeps } from '../ports.ts';
import { type Blob, insertBlob } from './store.ts';

/** Returns false if the project has it already. */
export async function putBlob(
  uow: UnitOfWork,
  { clock, record }: Pick<ContextDeps, 'clock' | 'record'>,
  { projectId, blob, by }: { readonly projectId: string; readonly blob: Blob; readonly by: Actor },
): Promise<boolean> {
  if (!(await insertBlob(uow, projectId, blob, clock.now()))) return false;
  await record(uow, {
    projectId,
    by,
    type: 'blob.stored',
    payload: {
      sha256: blob.sha256,
      size_bytes: blob.bytes.byteLength,
      actor_id: by.id,
      actor_type: by.type,
    },
  });
  return true;
}
