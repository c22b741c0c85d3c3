import { encodeBase64 } from '../../../kernel/base64.ts';
import { isOwner } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Project } from '../../../spine/identity/projects/project.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { selectSession, selectSessionsAfter } from '../../../spine/identity/sessions/session-store.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { selectAttestations } from '../attest/store.ts';
import { type Blob, selectBlob, selectBlobPage } from '../blobs/store.ts';
import { contextErrors } from '../errors.ts';
import { selectFactsAfter } from '../facts/store.ts';
import { factText } from '../facts/stored-fact.ts';
import { selectParents } from '../packages/link-store.ts';
import { selectDepositedIn } from '../packages/list-store.ts';
import { isVisibleTo, selectArrived } from '../packages/store.ts';
import { packageText, type StoredPackage } from '../packages/stored-package.ts';
import type { ContextDeps } from '../ports.ts';
import { projectBody, sessionBody } from '../projects/schema.ts';
import { selectForeignPage } from '../projects/store.ts';
import { selectEntries } from '../review/store.ts';
import { embeddingLines } from './embeddings.ts';
import type { ExportFile, ExportPage, ImportItem } from './schema.ts';

export interface ExportRequest {
  readonly project: Project;
  readonly file: ExportFile;
  readonly after: string | undefined;
  readonly limit: number;
  readonly principal: Principal;
}

/** One page of one file, in order of arrival, so that an import repeats it. */
export function createExport({ hasher, search }: Pick<ContextDeps, 'hasher' | 'search'>) {
  async function packages(reader: Reader, request: ExportRequest, after: number): Promise<ExportPage> {
    const { project, file, limit, principal } = request;
    const { packages: found, more } = await selectArrived(reader, project.projectId, after, limit);
    const lines: string[] = [];
    for (const stored of found) {
      if (!isOwner(principal) && !isVisibleTo(stored, principal.actor)) continue;
      lines.push(
        ...(file === 'embeddings'
          ? await embeddingLines(reader, hasher, search.embedder, stored)
          : await linesOf(reader, file, stored)),
      );
    }
    return { lines, next: more ? String(found.at(-1)?.seq) : null };
  }

  return async (reader: Reader, request: ExportRequest): Promise<ExportPage> => {
    const { project, file, after, limit } = request;
    if (file === 'projects') return { lines: [JSON.stringify(projectBody(project))], next: null };
    if (file === 'sessions') return sessionsPage(reader, project.projectId, after, limit);
    if (file === 'blobs') return blobsPage(reader, project.projectId, after ?? '');
    if (file === 'facts') return factsPage(reader, project.projectId, seqOf(after), limit);
    return packages(reader, request, seqOf(after));
  };
}

async function linesOf(reader: Reader, file: ExportFile, stored: StoredPackage): Promise<string[]> {
  if (file === 'reviews') return reviewLines(reader, stored);
  if (file === 'attestations') {
    const envelopes = await selectAttestations(reader, stored);
    return envelopes.map(
      (envelope) => `{"package_id":${JSON.stringify(stored.packageId)},"envelope":${envelope}}`,
    );
  }
  const redacted = stored.tombstone !== null;
  if (file === 'tombstones') return redacted ? [await tombstoneLine(reader, stored)] : [];
  if (redacted) return [];
  return [file === 'hashes' ? hashesLine(stored) : packageText(stored)];
}

async function factsPage(
  reader: Reader,
  projectId: string,
  after: number,
  limit: number,
): Promise<ExportPage> {
  const { facts, more } = await selectFactsAfter(reader, projectId, after, limit);
  return { lines: facts.map(factText), next: more ? String(facts.at(-1)?.seq) : null };
}

/** Our own sessions by age, then imported ones whose ids are not ours. */
export async function sessionsPage(
  reader: Reader,
  projectId: string,
  after: string | undefined,
  limit: number,
): Promise<ExportPage> {
  if (after?.startsWith('foreign:')) return foreign(reader, projectId, after.slice('foreign:'.length), limit);
  const last = after === undefined ? undefined : await selectSession(reader, after);
  const sessions = await selectSessionsAfter(reader, projectId, last, limit);
  const lines: string[] = [];
  for (const session of sessions) lines.push(await sessionText(reader, session));
  const next = sessions.length === limit ? (sessions.at(-1)?.sessionId ?? null) : 'foreign:';
  return { lines, next };
}

async function foreign(reader: Reader, projectId: string, after: string, limit: number): Promise<ExportPage> {
  const rows = await selectForeignPage(reader, projectId, after, limit);
  const next = rows.length === limit ? `foreign:${rows.at(-1)?.session_id}` : null;
  return { lines: rows.map(({ line }) => line), next };
}

/** One per page, because each may be large. */
async function blobsPage(reader: Reader, projectId: string, after: string): Promise<ExportPage> {
  const [row] = await selectBlobPage(reader, projectId, after, 1);
  const blob = row && (await selectBlob(reader, projectId, row.sha256));
  if (!blob) return { lines: [], next: null };
  return { lines: [blobText(projectId, blob)], next: blob.sha256 };
}

export function seqOf(after: string | undefined): number {
  const seq = Number(after || 0);
  if (!Number.isSafeInteger(seq)) throw contextErrors.invalid_cursor();
  return seq;
}

/* Single lines of an export; sync carries the same ones. */

function hashesOf(stored: StoredPackage) {
  return {
    content_hash: stored.contentHash,
    deposit_hash: stored.depositHash,
    body_hash: stored.bodyHash,
  };
}

function hashesLine(stored: StoredPackage): string {
  return JSON.stringify({ package_id: stored.packageId, ...hashesOf(stored) });
}

async function reviewLines(reader: Reader, stored: StoredPackage): Promise<string[]> {
  return (await selectEntries(reader, stored)).map((entry) => JSON.stringify(entry));
}

/** Enough to keep the place of what was destroyed in the lineage. */
async function tombstoneLine(reader: Reader, stored: StoredPackage): Promise<string> {
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

/** A package, or its tombstone, with its hashes, reviews and attestations. */
export async function packageItem(reader: Reader, stored: StoredPackage): Promise<ImportItem> {
  const beside = {
    reviews: await reviewLines(reader, stored),
    attestations: await selectAttestations(reader, stored),
  };
  if (stored.tombstone !== null) return { line: await tombstoneLine(reader, stored), ...beside };
  return { line: packageText(stored), hashes: hashesOf(stored), ...beside };
}

export async function sessionText(reader: Reader, session: Session): Promise<string> {
  return JSON.stringify(sessionBody(session, await selectDepositedIn(reader, session)));
}

export function blobText(projectId: string, blob: Blob): string {
  return JSON.stringify({
    project_id: projectId,
    sha256: blob.sha256,
    media_type: blob.mediaType,
    bytes_base64: encodeBase64(blob.bytes),
  });
}
