import { identityErrors } from '../../../spine/identity/errors.ts';
import type { Actor, Principal } from '../../../spine/identity/principal.ts';
import { IDLE_SECONDS, readUpTo } from '../../../spine/operations/body.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import { contextErrors } from '../errors.ts';
import type { ContextDeps } from '../ports.ts';
import { type Blob, insertBlob } from './store.ts';

/** Both engines handle a row of this size well; larger artefacts belong where they are built. */
const LARGEST_BLOB = 8 * 1024 * 1024;

export interface UploadRequest {
  readonly principal: Principal;
  /** Who calls once the bytes are there. */
  readonly standing: () => Promise<Principal>;
  readonly projectId: string;
  /** `sha256:<hex>`, as the path names it. */
  readonly hash: string;
}

/** Stores the body of a request if it has the hash that the path names. `created` is false if it existed already. */
export async function uploadBlob(
  deps: Pick<ContextDeps, 'db' | 'hasher' | 'clock' | 'record'>,
  request: Request,
  { principal, standing, projectId, hash }: UploadRequest,
): Promise<{ readonly blob: Blob; readonly created: boolean }> {
  const { db, hasher } = deps;
  const named = blobHex(hash);
  const project = await db.read((reader) => requireReadableProject(reader, principal, projectId));
  if (project.archivedAt !== null) throw identityErrors.project_archived();
  const bytes = await bytesOf(request, LARGEST_BLOB);
  const sha256 = hasher.hex(bytes);
  if (sha256 !== named) {
    throw contextErrors.hash_mismatch({
      next: 'Send the bytes whose hash the path names.',
      details: { claimed: hash, computed: `sha256:${sha256}` },
    });
  }
  const { actor: by } = await standing();
  const blob = { sha256, mediaType: mediaTypeOf(request.headers.get('content-type')), bytes };
  const created = await db.write((uow) => putBlob(uow, deps, { projectId, blob, by }));
  return { blob, created };
}

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

export function blobHex(hash: string): string {
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

async function bytesOf(request: Request, most: number): Promise<Uint8Array> {
  const bytes = await readUpTo(request, { maxBytes: most, idleSeconds: IDLE_SECONDS });
  if (bytes === undefined) throw contextErrors.blob_too_large({ details: { max_bytes: most } });
  return bytes;
}
