/** Single lines of an export; sync carries the same ones. */

import { encodeBase64 } from '../../../kernel/base64.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { selectAttestations } from '../attest/store.ts';
import type { Blob } from '../blobs/store.ts';
import { selectParents } from '../packages/link-store.ts';
import { selectDepositedIn } from '../packages/list-store.ts';
import { packageText, type StoredPackage } from '../packages/stored-package.ts';
import { sessionBody } from '../projects/schema.ts';
import { selectEntries } from '../review/store.ts';
import type { ImportItem } from './schema.ts';

function hashesOf(stored: StoredPackage) {
  return {
    content_hash: stored.contentHash,
    deposit_hash: stored.depositHash,
    body_hash: stored.bodyHash,
  };
}

export function hashesLine(stored: StoredPackage): string {
  return JSON.stringify({ package_id: stored.packageId, ...hashesOf(stored) });
}

export async function reviewLines(reader: Reader, stored: StoredPackage): Promise<string[]> {
  return (await selectEntries(reader, stored)).map((entry) => JSON.stringify(entry));
}

/** Enough to keep the place of what was destroyed. */
export async function tombstoneLine(reader: Reader, stored: StoredPackage): Promise<string> {
  return JSON.stringify({
    ...JSON.parse(stored.tombstone ?? '{}'),
    deposit_hash: stored.depositHash,
    status: stored.status,
    review_type: stored.reviewType,
    package_type: stored.packageType,
    created_at: stored.createdAt,
    created_by: stored.author,
    parents: await selectParents(reader, stored),
  });
}

/** A package, or its tombstone, with everything that stands beside it. */
export async function packageItem(reader: Reader, stored: StoredPackage): Promise<ImportItem> {
  const beside = {
    reviews: await reviewLines(reader, stored),
    attestations: await selectAttestations(reader, stored),
  };
  if (stored.tombstone !== null) return { line: await tombstoneLine(reader, stored), ...beside };
  return { line: packageText(stored), hashes: hashesOf(stored), ...beside };
}

export async function sessionText(reader: Reader, session: Session): Promise<string> {
  return JSON.stringify(sessionBody(session, await selectDepositedIn(reader, session.sessionId)));
}

export function blobText(projectId: string, blob: Blob): string {
  return JSON.stringify({
    project_id: projectId,
    sha256: blob.sha256,
    media_type: blob.mediaType,
    bytes_base64: encodeBase64(blob.bytes),
  });
}
