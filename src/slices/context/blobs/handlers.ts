import type { Handlers } from '../../../spine/operations/handler.ts';
import { SHUT_IN } from '../../../spine/operations/shut-in.ts';
import { requireReadableProject } from '../access.ts';
import { PROTOCOL_HEADERS } from '../answer.ts';
import { contextErrors } from '../errors.ts';
import type { ContextDeps } from '../ports.ts';
import type { blobOperations } from './operations.ts';
import { blobHex, uploadBlob } from './put.ts';
import { selectBlob } from './store.ts';

export function createBlobHandlers(
  deps: Pick<ContextDeps, 'db' | 'hasher' | 'clock' | 'record'>,
): Handlers<typeof blobOperations> {
  return {
    'blobs.put': async (request, call) => {
      const { input, principal } = call;
      const { project_id: projectId, hash } = input.path;
      const { blob, created } = await uploadBlob(deps, request, {
        principal,
        standing: () => call.standing(),
        projectId,
        hash,
      });
      const body = { hash: `sha256:${blob.sha256}`, size_bytes: blob.bytes.byteLength };
      return new Response(JSON.stringify(body), {
        status: created ? 201 : 200,
        headers: { ...PROTOCOL_HEADERS, 'content-type': 'application/json' },
      });
    },

    'blobs.get': async (_, { input, principal }) => {
      const { project_id: projectId, hash } = input.path;
      const blob = await deps.db.read(async (reader) => {
        await requireReadableProject(reader, principal, projectId);
        return selectBlob(reader, projectId, blobHex(hash));
      });
      if (!blob) throw contextErrors.blob_not_found({ details: { hash } });
      return new Response(new Uint8Array(blob.bytes), {
        headers: {
          ...PROTOCOL_HEADERS,
          'content-type': blob.mediaType,
          'content-disposition': 'attachment',
          'x-content-type-options': 'nosniff',
          'content-security-policy': SHUT_IN,
          etag: `"sha256:${blob.sha256}"`,
        },
      });
    },
  };
}
