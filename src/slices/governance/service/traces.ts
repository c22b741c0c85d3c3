import type { ChainReport } from '../../../kernel/trace/report.ts';
import { createChainVerifier } from '../../../kernel/trace/verify-chain.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { requireSessionOwner, visibleSession } from '../../../spine/identity/sessions/session-access.ts';
import { openRow } from '../../../spine/journal/events/payload-codec.ts';
import {
  type JournalEvent,
  WIRE_COLUMNS,
  type WireRow,
  wireEventOf,
  wireLineOf,
} from '../../../spine/journal/events/stored-event.ts';
import type { StreamItem } from '../../../spine/operations/handler.ts';
import type { Reader, SqlValue } from '../../../spine/storage/database.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { Atlas } from '../rules/atlas/atlas.ts';
import { type Replay, replayTrace } from '../rules/trace/replay.ts';
import { reconstructState, type SessionState } from '../rules/trace/state.ts';
import type { RecordedInput } from '../schema/inputs.ts';
import { selectInputs } from '../store/request-store.ts';
import type { AtlasSets } from './atlas-sets.ts';

export interface TraceFilter {
  readonly eventType?: string | undefined;
  /** Exclusive. */
  readonly sinceSequence?: number | undefined;
  /** All of them unless given. */
  readonly limit?: number | undefined;
}

const BATCH = 500;

/** Who may read a trace: whoever owns the session, and whoever may read the journal of its project. */
export async function readableSession(
  reader: Reader,
  principal: Principal,
  sessionId: string,
): Promise<Session> {
  const session = await visibleSession(reader, principal, sessionId.toLowerCase());
  if (!grantsScope(principal.scopes, 'journal:read')) requireSessionOwner(principal, session);
  return session;
}

async function selectEvents(
  reader: Reader,
  sessionId: string,
  filter: TraceFilter,
  limit: number,
): Promise<WireRow[]> {
  const where = ['chain_id = ?', 'sequence > ?'];
  const params: SqlValue[] = [sessionId, filter.sinceSequence ?? -1];
  if (filter.eventType !== undefined) {
    where.push('event_type = ?');
    params.push(filter.eventType);
  }
  return reader.all<WireRow>(
    `select ${WIRE_COLUMNS} from events where ${where.join(' and ')} order by sequence limit ?`,
    [...params, limit],
  );
}

export interface Traces {
  /** Lines as they were hashed, in batches, so that a trace of any length fits. */
  lines(sessionId: string, filter: TraceFilter): AsyncGenerator<string>;
  page(
    reader: Reader,
    sessionId: string,
    filter: TraceFilter,
  ): Promise<{ lines: string[]; total: number; last: number }>;
  verify(sessionId: string): Promise<ChainReport>;
  state(sessionId: string): Promise<SessionState>;
  inputs(sessionId: string): Promise<RecordedInput[]>;
  replay(sessionId: string): Promise<Replay>;
  follow(session: Session, since: number, signal: AbortSignal): AsyncGenerator<StreamItem>;
}

export function createTraces(deps: GovernanceDeps, sets: AtlasSets): Traces {
  const { db, hasher, feed, payloads } = deps;

  async function pageOf(reader: Reader, sessionId: string, filter: TraceFilter, limit: number) {
    const found = await selectEvents(reader, sessionId, filter, limit);
    return found.map((row) => openRow(row, payloads));
  }

  async function* rows(sessionId: string, filter: TraceFilter): AsyncGenerator<WireRow> {
    let left = filter.limit ?? Number.POSITIVE_INFINITY;
    let since = filter.sinceSequence ?? -1;
    while (left > 0) {
      const size = Math.min(BATCH, left);
      const page = await db.read((reader) =>
        pageOf(reader, sessionId, { ...filter, sinceSequence: since }, size),
      );
      yield* page;
      left -= page.length;
      since = page.at(-1)?.sequence ?? since;
      if (page.length < size) return;
    }
  }

  async function eventsOf(sessionId: string) {
    const events = [];
    for await (const row of rows(sessionId, {})) events.push(wireEventOf(row));
    return events;
  }

  return {
    async *lines(sessionId, filter) {
      for await (const row of rows(sessionId, filter)) yield wireLineOf(row);
    },

    async page(reader, sessionId, filter) {
      const found = await pageOf(reader, sessionId, filter, filter.limit ?? 100);
      const count = await reader.get<{ total: number; last: number | null }>(
        'select count(*) as total, max(sequence) as last from events where chain_id = ?',
        [sessionId],
      );
      return { lines: found.map(wireLineOf), total: count?.total ?? 0, last: count?.last ?? -1 };
    },

    async verify(sessionId) {
      const verifier = createChainVerifier(hasher, { kind: 'trace', acceptPruned: true });
      for await (const row of rows(sessionId, {})) verifier.push(wireLineOf(row));
      return verifier.finish();
    },

    state: async (sessionId) => reconstructState(await eventsOf(sessionId)),
    inputs: (sessionId) => db.read((reader) => selectInputs(reader, payloads, sessionId)),

    async replay(sessionId) {
      const inputs = await db.read((reader) => selectInputs(reader, payloads, sessionId));
      const digests = new Set(inputs.flatMap(({ atlases }) => atlases.map(({ digest }) => digest)));
      const known = new Map<string, Atlas>();
      for (const digest of digests) {
        const atlas = await db.read((reader) => sets.content(reader, digest));
        if (atlas) known.set(digest, atlas);
      }
      return replayTrace(await eventsOf(sessionId), inputs, (digest) => known.get(digest), hasher);
    },

    /** What is there first, then what comes, each event once; ends with the session. */
    async *follow(session, since, signal) {
      const chain = { sessionId: session.sessionId, kind: 'trace' as const };
      // The cursor is taken before the stored events are read, so that none falls between.
      const { next } = await feed.newest({ projectId: session.projectId, chain, limit: 1 });
      let last = since;
      for await (const row of rows(session.sessionId, { sinceSequence: since })) {
        if (signal.aborted) return;
        last = row.sequence;
        yield { id: String(row.sequence), event: row.event_type, data: wireEventOf(row) };
        if (row.event_type === 'session.ended') return;
      }
      for await (const entry of feed.follow({ projectId: session.projectId, chain, after: next, signal })) {
        if (entry.event.sequence <= last) continue;
        last = entry.event.sequence;
        yield itemOf(entry);
        if (entry.event.event_type === 'session.ended') return;
      }
    },
  };
}

function itemOf({ event }: JournalEvent): StreamItem {
  return { id: String(event.sequence), event: event.event_type, data: event };
}
