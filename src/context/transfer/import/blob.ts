import { decodeBase64 } from '../../../kernel/base64.ts';
import { insertBlob } from '../../blobs/blob-store.ts';
import type { ContextParts } from '../../context.ts';
import { type ImportLine, parsed, refused, requireOwnProject } from './line.ts';
import { blobLine } from './lines.ts';

export function blobImport({ clock, hasher }: Pick<ContextParts, 'clock' | 'hasher'>): ImportLine {
  return async (uow, line, principal) => {
    const { project_id, sha256, media_type, bytes_base64 } = parsed(blobLine, line);
    const projectId = String(project_id);
    await requireOwnProject(uow, principal, projectId);
    const bytes = decodeBase64(String(bytes_base64));
    if (!bytes || hasher.hex(bytes) !== sha256)
      throw refused(`Blob ${sha256} does not match its hash.`, { sha256 });
    return insertBlob(uow, projectId, { sha256, mediaType: String(media_type), bytes }, clock.now());
  };
}
