import type { Principal } from '../../../spine/identity/principal.ts';
import type { Project } from '../../../spine/identity/projects/project.ts';
import { longPoll } from '../../../spine/journal/feed/feed.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { selectBlobPage } from '../blobs/store.ts';
import { selectFactsAfter, selectLastBefore } from '../facts/store.ts';
import { selectArrived } from '../packages/store.ts';
import type { ContextDeps } from '../ports.ts';
import { seqOf, sessionsPage } from './export.ts';
import { nextCursor, readSyncCursor, type SyncCursor, writeSyncCursor } from './rules.ts';
import { SyncBatch } from './sync-batch.ts';

export interface SyncRequest {
  readonly project: Project;
  readonly principal: Principal;
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
}

export interface SyncPage {
  readonly batch: SyncBatch;
  readonly cursor: string;
  /** Whether the next page is ready now. */
  readonly more: boolean;
}

type Copying = Extract<SyncCursor, { kind: 'copy' }>;

const CARRIED = ['project.*', 'session.*', 'package.*', 'fact.*', 'blob.*'];

/** One page of what another server needs to become a copy, ready to be imported there. */
export function createSync({ db, feed }: Pick<ContextDeps, 'db' | 'feed'>) {
  async function begin(projectId: string): Promise<SyncCursor> {
    const { next } = await feed.newest({ projectId, limit: 1 });
    return { kind: 'copy', head: next, step: 'sessions', after: '' };
  }

  async function copy(request: SyncRequest, cursor: Copying): Promise<SyncPage> {
    const { project, principal, limit } = request;
    return db.read(async (reader) => {
      const batch = new SyncBatch(reader, project, principal);
      batch.addProject();
      const next = nextCursor(cursor, await copyStep(reader, batch, { project, cursor, limit }));
      return { batch, cursor: writeSyncCursor(next), more: true };
    });
  }

  async function follow(request: SyncRequest, after: number): Promise<SyncPage> {
    const { project, principal, limit, waitSeconds, signal } = request;
    const query = { projectId: project.projectId, types: CARRIED, after, limit };
    const page = await longPoll(feed, { ...query, waitSeconds, signal });
    return db.read(async (reader) => {
      const batch = new SyncBatch(reader, project, principal);
      for (const event of page.events) {
        await batch.addChanged(event);
        if (!batch.isFull) continue;
        const cursor = writeSyncCursor({ kind: 'follow', after: event.projectSeq });
        return { batch, cursor, more: true };
      }
      const cursor = writeSyncCursor({ kind: 'follow', after: page.next });
      return { batch, cursor, more: page.events.length >= limit };
    });
  }

  return async (request: SyncRequest): Promise<SyncPage> => {
    const { cursor, project } = request;
    const at = cursor === undefined ? await begin(project.projectId) : readSyncCursor(cursor);
    return at.kind === 'copy' ? copy(request, at) : follow(request, at.after);
  };
}

interface CopyRequest {
  readonly project: Project;
  readonly cursor: Copying;
  readonly limit: number;
}

/** Returns where the step continues; null at its end. */
async function copyStep(
  reader: Reader,
  batch: SyncBatch,
  { project: { projectId }, cursor, limit }: CopyRequest,
): Promise<string | null> {
  const { step, after } = cursor;
  if (step === 'sessions') {
    const page = await sessionsPage(reader, projectId, after === '' ? undefined : after, limit);
    batch.sessions.push(...page.lines);
    return page.next;
  }
  if (step === 'blobs') {
    const [blob] = await selectBlobPage(reader, projectId, after, 1);
    if (blob) await batch.addBlob(blob.sha256);
    return blob?.sha256 ?? null;
  }
  const page =
    step === 'packages'
      ? await selectArrived(reader, projectId, seqOf(after), limit)
      : await selectFactsAfter(reader, projectId, seqOf(after), limit);
  const rows = 'packages' in page ? page.packages : page.facts;
  for (const row of rows) {
    if ('packageId' in row) await batch.addStored(row);
    else {
      // It may have been current when its page was read, and may have ended since.
      const before = row.validTo === null ? await selectLastBefore(reader, row, seqOf(after)) : undefined;
      if (before) await batch.addFact(before.factId);
      await batch.addFact(row.factId);
    }
    if (batch.isFull) return String(row.seq);
  }
  return page.more ? String(rows.at(-1)?.seq) : null;
}
