import { identityErrors } from '../../../spine/identity/errors.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { SHUT_IN } from '../../../spine/operations/shut-in.ts';
import { requireReadableProject } from '../access.ts';
import { PROTOCOL_HEADERS } from '../answer.ts';
import { contextErrors } from '../errors.ts';
import type { ContextDeps } from '../ports.ts';
import type { blobOperations } from './operations.ts';
import { putBlob } from './put.ts';
import { selectBlob } from './store.ts';

/** Both engines handle a row of this size well; larger artefacts belong where they are built. */
const LARGEST_BLOB = 32 * 1024 * 1024;

export function createBlobHandlers(
  deps: Pick<ContextDeps, 'db' | 'hasher' | 'clock' | 'record'>,
): Handlers<typeof blobOperations> {
  const { db, hasher } = deps;
  return {
    'blobs.put': async (request, { input, principal }) => {
      const { project_id: projectId, hash } = input.path;
      const named = hexOf(hash);
      const project = await db.read((reader) => requireReadableProject(reader, principal, projectId));
      if (project.archivedAt !== null) throw identityErrors.project_archived();
      const bytes = await readUpTo(request, LARGEST_BLOB);
      const sha256 = hasher.hex(bytes);
      if (sha256 !== named) {
        throw contextErrors.hash_mismatch({
          next: 'Send the bytes whose hash the path names.',
          details: { claimed: hash, computed: `sha256:${sha256}` },
        });
      }
      const mediaType = mediaTypeOf(request.headers.get('content-type'));
      const blob = { sha256, mediaType, bytes };
      const created = await db.write((uow) => putBlob(uow, deps, { projectId, blob, by: principal.actor }));
      const body = JSON.stringify({ hash: `sha256:${sha256}`, size_bytes: bytes.byteLength });
      return new Response(body, {
        status: created ? 201 : 200,
        headers: { ...PROTOCOL_HEADERS, 'content-type': 'application/json' },
      });
    },

    'blobs.get': async (_, { input, principal }) => {
      const { project_id: projectId, hash } = input.path;
      const blob = await db.read(async (reader) => {
        await requireReadableProject(reader, principal, projectId);
        return selectBlob(reader, projectId, hexOf(hash));
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

function hexOf(hash: string): string {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(hash)?.[1];
  if (hex === undefined) {
    throw contextErrors.invalid_schema({
      message: 'Name a blob as sha256:<64 lower-case hex digits>.',
      pointer: '/hash',
    });
  }
  return hex;
}

function mediaTypeOf(header: string | null): string {
  return header !== null && /^[\w.+-]+\/[\w.+-]+(;\s*[\w-]+=[\w.-]+)?$/.test(header)
    ? header
    : 'application/octet-stream';
}

async function readUpTo(request: Request, most: number): Promise<Uint8Array> {
  const refusal = () => contextErrors.blob_too_large({ details: { max_bytes: most } });
  if (Number(request.headers.get('content-length') ?? 0) > most) throw refusal();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    if (size > most) throw refusal();
    pieces.push(piece);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
