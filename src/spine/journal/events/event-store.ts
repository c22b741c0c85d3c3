import type { Reader, SqlValue, UnitOfWork } from '../../storage/database.ts';
import { insertion } from '../../storage/insertion.ts';
import { WIRE_COLUMNS, type WireRow } from './stored-event.ts';

/** An event that its unit has decided on and not yet written. */
export interface PendingEvent {
  readonly chainId: string;
  readonly projectId: string;
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
  readonly timestamp: string;
  readonly timeMicros: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  /** Canonical text, which is what is hashed and goes over the wire, as the store keeps it. */
  readonly payload: string;
  readonly hash: string;
  readonly previousHash: string;
}

/** What the Sequencer gives an event; null until it has. */
export interface EventNumber {
  readonly leaf: number | null;
  readonly projectSeq: number | null;
}

const events = insertion({
  into: 'events',
  columns: [
    'chain_id',
    'sequence',
    'event_id',
    'event_type',
    'timestamp',
    'time_us',
    'trace_id',
    'span_id',
    'parent_span_id',
    'payload',
    'event_hash',
    'previous_event_hash',
    'project_id',
    'leaf',
    'project_seq',
  ],
});

export function insertEvents(
  uow: UnitOfWork,
  pending: readonly PendingEvent[],
  numbers: readonly EventNumber[],
): Promise<void> {
  return events.run(
    uow,
    pending.map((event, at) => [
      event.chainId,
      event.sequence,
      event.eventId,
      event.type,
      event.timestamp,
      event.timeMicros,
      event.traceId,
      event.spanId,
      event.parentSpanId,
      event.payload,
      event.hash,
      event.previousHash,
      event.projectId,
      numbers[at]?.leaf ?? null,
      numbers[at]?.projectSeq ?? null,
    ]),
  );
}

/** The event in wire form; `leaf` is null until it is numbered. */
export function selectEvent(
  reader: Reader,
  eventId: string,
): Promise<(WireRow & { readonly project_id: string; readonly leaf: number | null }) | undefined> {
  return reader.get(`select ${WIRE_COLUMNS}, events.project_id, events.leaf from events where event_id = ?`, [
    eventId,
  ]);
}

/** By its place in the tree, in the store's own form. */
export function selectEventAt(
  reader: Reader,
  leaf: number,
): Promise<(WireRow & { readonly leaf: number }) | undefined> {
  return reader.get(`select ${WIRE_COLUMNS}, events.leaf from events where leaf = ?`, [leaf]);
}

export interface ChainEventFilter {
  /** The last sequence that the reader has. */
  readonly after: number;
  readonly limit: number;
  readonly eventType?: string | undefined;
}

/** Events of one chain in order; payloads are as stored (`openRow`). */
export function selectChainEvents(
  reader: Reader,
  chainId: string,
  { after, limit, eventType }: ChainEventFilter,
): Promise<WireRow[]> {
  const ofType = eventType === undefined ? '' : ' and event_type = ?';
  const params: SqlValue[] = eventType === undefined ? [chainId, after] : [chainId, after, eventType];
  return reader.all(
    `select ${WIRE_COLUMNS} from events where chain_id = ? and sequence > ?${ofType} order by sequence limit ?`,
    [...params, limit],
  );
}

/** How many events a chain has, and the last sequence; -1 when it has none. */
export async function countChainEvents(
  reader: Reader,
  chainId: string,
): Promise<{ readonly total: number; readonly last: number }> {
  const row = await reader.get<{ total: number; last: number | null }>(
    'select count(*) as total, max(sequence) as last from events where chain_id = ?',
    [chainId],
  );
  return { total: row?.total ?? 0, last: row?.last ?? -1 };
}

/** What identifies and locates an event, without its payload. */
export interface EventHead {
  readonly event_id: string;
  readonly project_id: string;
  readonly leaf: number;
  readonly event_hash: string;
  readonly event_type: string;
  readonly timestamp: string;
  /** 1 once retention has dropped the payload. */
  readonly pruned: number;
}

/** Only events that are numbered, in no order. */
export function selectEventHeads(reader: Reader, eventIds: readonly string[]): Promise<EventHead[]> {
  if (eventIds.length === 0) return Promise.resolve([]);
  return reader.all(
    `select event_id, project_id, leaf, event_hash, event_type, timestamp,
       case when payload is null then 1 else 0 end as pruned
     from events where event_id in (${eventIds.map(() => '?').join(', ')}) and leaf is not null`,
    eventIds,
  );
}

/** The hashes of the leaves from `first` up to, not including, `end`, as one text. */
export async function selectLeafHashes(reader: Reader, first: number, end: number): Promise<string> {
  const row = await reader.get<{ hashes: string | null }>(
    "select string_agg(event_hash, '' order by leaf) as hashes from events where leaf >= ? and leaf < ?",
    [first, end],
  );
  return row?.hashes ?? '';
}

export async function hasUnnumbered(reader: Reader): Promise<boolean> {
  return (await reader.get('select 1 as one from events where leaf is null limit 1')) !== undefined;
}

export async function countUnnumbered(reader: Reader): Promise<number> {
  return (await reader.get<{ n: number }>('select count(*) as n from events where leaf is null'))?.n ?? 0;
}

/** In the order of insertion. */
export function selectUnnumbered(
  reader: Reader,
  limit: number,
): Promise<{ readonly seq: number; readonly project_id: string }[]> {
  return reader.all('select seq, project_id from events where leaf is null order by seq limit ?', [limit]);
}

export async function numberEvents(
  uow: UnitOfWork,
  rows: readonly { readonly seq: number }[],
  numbers: readonly EventNumber[],
): Promise<void> {
  // The first row sets the types; PostgreSQL would take bare parameters for text.
  const typed = '(cast(? as bigint), cast(? as bigint), cast(? as bigint))';
  const values = rows.map((_, nth) => (nth === 0 ? typed : '(?, ?, ?)')).join(', ');
  await uow.run(
    `update events set leaf = given.leaf, project_seq = given.project_seq
     from (values ${values}) as given (seq, leaf, project_seq) where events.seq = given.seq`,
    rows.flatMap((row, nth) => [row.seq, numbers[nth]?.leaf ?? null, numbers[nth]?.projectSeq ?? null]),
  );
}

/** The greatest numbers of a session's events; undefined while none is numbered. */
export async function selectLastNumbers(
  reader: Reader,
  sessionId: string,
): Promise<{ readonly leaf: number; readonly projectSeq: number } | undefined> {
  const row = await reader.get<{ leaf: number | null; project_seq: number | null }>(
    `select max(leaf) as leaf, max(project_seq) as project_seq from events
     where chain_id in (select chain_id from chains where session_id = ?)`,
    [sessionId],
  );
  return row?.leaf == null || row.project_seq == null
    ? undefined
    : { leaf: row.leaf, projectSeq: row.project_seq };
}

export function dropPayloads(uow: UnitOfWork, sessionId: string): Promise<number> {
  return uow.run(
    `update events set payload = null
     where payload is not null and chain_id in (select chain_id from chains where session_id = ?)`,
    [sessionId],
  );
}

/** As stored; the newest first. */
export async function selectNewestPayloads(
  reader: Reader,
  limit: number,
): Promise<{ readonly event_id: string; readonly payload: string | null }[]> {
  return reader.all('select event_id, payload from events order by seq desc limit ?', [limit]);
}
