import type { Actor } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { ContextParts, RecordLedger } from '../context.ts';
import { type Blob, insertBlob } from './store.ts';

/** False where it is there already. */
export async function storeBlob(
  { clock }: Pick<ContextParts, 'clock'>,
  record: RecordLedger,
  uow: UnitOfWork,
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
