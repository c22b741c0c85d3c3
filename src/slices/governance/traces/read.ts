import type { Principal } from '../../../spine/identity/principal.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { requireSessionOwner, visibleSession } from '../../../spine/identity/sessions/session-access.ts';
import { countChainEvents, selectChainEvents } from '../../../spine/journal/events/event-store.ts';
import { type WireRow, wireEventOf, wireLineOf } from '../../../spine/journal/events/stored-event.ts';
import type { StreamItem } from '../../../spine/operations/handler.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import type { GovernanceDeps } from '../ports.ts';

export interface TraceFilter {
  readonly eventType?: string | undefined;
  /** Exclusive; from the first event unless given. */
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

/** The events as they were hashed, in batches, so that a trace of any length fits in memory. */
export async function* traceRows(
  { db, payloads }: GovernanceDeps,
  sessionId: string,
  { eventType, sinceSequence = -1, limit = Number.POSITIVE_INFINITY }: TraceFilter = {},
): AsyncGenerator<WireRow> {
  let left = limit;
  let since = sinceSequence;
  while (left > 0) {
    const size = Math.min(BATCH, left);
    const filter = { eventType, after: since, limit: size };
    const page = await db.read((reader) => selectChainEvents(reader, payloads, sessionId, filter));
    yield* page;
    left -= page.length;
    since = page.at(-1)?.sequence ?? since;
    if (page.length < size) return;
  }
}

export async function tracePage(
  reader: Reader,
  { payloads }: GovernanceDeps,
  sessionId: string,
  filter: TraceFilter,
): Promise<{ readonly lines: string[]; readonly total: number; readonly last: number }> {
  const { eventType, sinceSequence: after = -1, limit = 100 } = filter;
  const rows = await selectChainEvents(reader, payloads, sessionId, { eventType, after, limit });
  const lines = rows.map(wireLineOf);
  return { lines, ...(await countChainEvents(reader, sessionId)) };
}

/** Stored events first, then new ones, each once; ends with the session. */
export async function* followTrace(
  deps: GovernanceDeps,
  { sessionId, projectId }: Session,
  since: number,
  signal: AbortSignal,
): AsyncGenerator<StreamItem> {
  const chain = { sessionId, kind: 'trace' as const };
  // The cursor is taken before the stored events are read, so that no event is missed in between.
  const { next } = await deps.feed.newest({ projectId, chain, limit: 1 });
  let last = since;
  for await (const row of traceRows(deps, sessionId, { sinceSequence: since })) {
    if (signal.aborted) return;
    last = row.sequence;
    yield { id: String(row.sequence), event: row.event_type, data: wireEventOf(row) };
    if (row.event_type === 'session.ended') return;
  }
  for await (const { event } of deps.feed.follow({ projectId, chain, after: next, signal })) {
    if (event.sequence <= last) continue;
    last = event.sequence;
    yield { id: String(event.sequence), event: event.event_type, data: event };
    if (event.event_type === 'session.ended') return;
  }
}
