import { decodeBase64 } from '../../../../kernel/base64.ts';
import { storeBlob } from '../../blobs/put.ts';
import type { ContextParts, RecordLedger } from '../../context.ts';
import { blobLine } from '../schema.ts';
import { type ImportLine, parsed, refused, requireOwnProject } from './line.ts';

export function blobImport(parts: Pick<ContextParts, 'clock' | 'hasher'>, record: RecordLedger): ImportLine {
  return async (uow, line, principal) => {
    const { project_id: projectId, sha256, media_type: mediaType, bytes_base64 } = parsed(blobLine, line);
    await requireOwnProject(uow, principal, projectId);
    const bytes = decodeBase64(bytes_base64);
    if (!bytes || parts.hasher.hex(bytes) !== sha256)
      throw refused(`Blob ${sha256} does not match its hash.`, { sha256 });
    const blob = { sha256, mediaType, bytes };
    return storeBlob(parts, record, uow, { projectId, blob, by: principal.actor });
  };
}
