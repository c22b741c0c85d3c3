import type { Reader, SqlValue, UnitOfWork } from '../../storage/database.ts';
import { insertion } from '../../storage/insertion.ts';
import { expandRuns, idsOfHead, ROW_LENGTH, RUN_COLUMNS, type RunColumns } from './event-run.ts';
import { openRow, type PayloadCodec } from './payload-codec.ts';
import { WIRE_COLUMNS, type WireRow } from './stored-event.ts';

/** An event that its unit has decided on and not yet written, or the first of several in one row. */
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
  /** The events of the row that follow it. */
  readonly followers?: { readonly hashes: readonly string[] };
}

export const lengthOf = ({ followers }: PendingEvent): number => 1 + (followers?.hashes.length ?? 0);

export const lastHashOf = ({ hash, followers }: PendingEvent): string => followers?.hashes.at(-1) ?? hash;

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
    'run_length',
    'run_hashes',
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
      event.followers ? lengthOf(event) : null,
      event.followers?.hashes.join('') ?? null,
    ]),
  );
}

type StoredEvent = WireRow & { readonly project_id: string; readonly leaf: number | null };

/** The event in wire form; `leaf` is null until it is numbered. */
export async function selectEvent(
  reader: Reader,
  payloads: PayloadCodec,
  eventId: string,
): Promise<StoredEvent | undefined> {
  const row = await selectRowOf<StoredEvent>(
    reader,
    `${WIRE_COLUMNS}, events.project_id, events.leaf`,
    eventId,
  );
  return row && opened([row], payloads).find(({ event_id }) => event_id === eventId);
}

export async function selectProjectOf(reader: Reader, eventId: string): Promise<string | undefined> {
  const row = await selectRowOf<RowHead & { readonly project_id: string }>(
    reader,
    `${ROW_HEAD}, events.project_id`,
    eventId,
  );
  return row && expandRuns([row]).some(({ event_id }) => event_id === eventId) ? row.project_id : undefined;
}

/** The row that an event would be in: no other id of the store lies between its first event's and its own. */
function selectRowOf<R extends object>(
  reader: Reader,
  columns: string,
  eventId: string,
): Promise<R | undefined> {
  return reader.get(
    `select ${columns} from events where event_id between ? and ? order by event_id desc limit 1`,
    idsOfHead(eventId),
  );
}

/** By its place in the tree. */
export async function selectEventAt(
  reader: Reader,
  payloads: PayloadCodec,
  leaf: number,
): Promise<(WireRow & { readonly leaf: number }) | undefined> {
  const row = await reader.get<WireRow & { readonly leaf: number }>(
    `select ${WIRE_COLUMNS}, events.leaf from events where leaf <= ? order by leaf desc limit 1`,
    [leaf],
  );
  return row && opened([row], payloads).find((event) => event.leaf === leaf);
}

/** The same without what it says. */
export async function selectPlaceAt(reader: Reader, leaf: number): Promise<EventPlace | undefined> {
  const row = await reader.get<EventPlace & RowHead>(
    `select ${ROW_HEAD}, events.chain_id, events.leaf from events where leaf <= ? order by leaf desc limit 1`,
    [leaf],
  );
  return row && expandRuns([row]).find((event) => event.leaf === leaf);
}

export interface EventPlace {
  readonly event_id: string;
  readonly chain_id: string;
  readonly sequence: number;
  readonly leaf: number;
}

/** The events of rows as they were hashed. */
export function opened<R extends WireRow>(rows: readonly R[], payloads: PayloadCodec): readonly R[] {
  return expandRuns(rows.map((row) => openRow(row, payloads)));
}

export interface ChainEventFilter {
  /** The last sequence that the reader has. */
  readonly after: number;
  readonly limit: number;
  readonly eventType?: string | undefined;
}

/** Events of one chain in order. */
export async function selectChainEvents(
  reader: Reader,
  payloads: PayloadCodec,
  chainId: string,
  { after, limit, eventType }: ChainEventFilter,
): Promise<readonly WireRow[]> {
  const ofType = eventType === undefined ? '' : ' and event_type = ?';
  const params: SqlValue[] = [chainId, chainId, after, ...(eventType === undefined ? [] : [eventType])];
  // One row more, because the first may have nothing new.
  const rows = await reader.all<WireRow>(
    `select ${WIRE_COLUMNS} from events
     where chain_id = ?
       and sequence >= coalesce((select max(sequence) from events where chain_id = ? and sequence <= ?), 0)${ofType}
     order by sequence limit ?`,
    [...params, limit + 1],
  );
  return opened(rows, payloads)
    .filter(({ sequence }) => sequence > after)
    .slice(0, limit);
}

/** How many events a chain has, and the last sequence; -1 when it has none. */
export async function countChainEvents(
  reader: Reader,
  chainId: string,
): Promise<{ readonly total: number; readonly last: number }> {
  const row = await reader.get<{ total: number | null; last: number | null }>(
    `select cast(sum(${ROW_LENGTH}) as bigint) as total, max(sequence + ${ROW_LENGTH} - 1) as last from events where chain_id = ?`,
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

type RowHead = RunColumns &
  Pick<WireRow, 'event_id' | 'sequence' | 'timestamp' | 'time_us' | 'event_hash' | 'previous_event_hash'>;

const ROW_HEAD = `events.event_id, events.sequence, events.timestamp, events.time_us, events.event_hash,
  events.previous_event_hash, ${RUN_COLUMNS}`;
const HEADS = `select ${ROW_HEAD}, events.project_id, events.leaf, events.event_type,
    case when events.payload is null then 1 else 0 end as pruned
  from events where leaf is not null`;
const HEADS_AT_ONCE = 100;

/** Only events that are numbered, in no order. */
export async function selectEventHeads(
  reader: Reader,
  eventIds: readonly string[],
): Promise<readonly EventHead[]> {
  if (eventIds.length === 0) return [];
  const wanted = new Set(eventIds);
  const marks = eventIds.map(() => '?').join(', ');
  const rows = await reader.all<EventHead & RowHead>(`${HEADS} and event_id in (${marks})`, eventIds);
  const found = expandRuns(rows).filter(({ event_id }) => wanted.delete(event_id));
  return [...found, ...(await selectFollowers(reader, wanted))];
}

/** Those of the events that are not the first of their row. */
async function selectFollowers(reader: Reader, wanted: Set<string>): Promise<EventHead[]> {
  const found: EventHead[] = [];
  while (wanted.size > 0) {
    const some = [...wanted].slice(0, HEADS_AT_ONCE);
    const rows = await reader.all<EventHead & RowHead>(
      `${HEADS} and run_length is not null and (${some.map(() => 'event_id between ? and ?').join(' or ')})`,
      some.flatMap(idsOfHead),
    );
    found.push(...expandRuns(rows).filter(({ event_id }) => wanted.delete(event_id)));
    for (const id of some) wanted.delete(id);
  }
  return found;
}

/** The hashes of the leaves from `first` up to, not including, `end`, as one text. */
export async function selectLeafHashes(reader: Reader, first: number, end: number): Promise<string> {
  const row = await reader.get<{ begins: number | null; hashes: string | null }>(
    `select min(leaf) as begins, string_agg(event_hash || coalesce(run_hashes, ''), '' order by leaf) as hashes
     from events where leaf >= coalesce((select max(leaf) from events where leaf <= ?), 0) and leaf < ?`,
    [first, end],
  );
  const at = (leaf: number) => (leaf - (row?.begins ?? leaf)) * HASH_LENGTH;
  return row?.hashes?.slice(at(first), at(end)) ?? '';
}

const HASH_LENGTH = 64;

export async function hasUnnumbered(reader: Reader): Promise<boolean> {
  return (await reader.get('select 1 as one from events where leaf is null limit 1')) !== undefined;
}

export async function countUnnumbered(reader: Reader): Promise<number> {
  return (
    (
      await reader.get<{ n: number | null }>(
        `select cast(sum(${ROW_LENGTH}) as bigint) as n from events where leaf is null`,
      )
    )?.n ?? 0
  );
}

export interface UnnumberedRow {
  readonly seq: number;
  readonly project_id: string;
  readonly length: number;
}

/** In the order of insertion. */
export function selectUnnumbered(reader: Reader, limit: number): Promise<UnnumberedRow[]> {
  return reader.all(
    `select seq, project_id, ${ROW_LENGTH} as length from events where leaf is null order by seq limit ?`,
    [limit],
  );
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
    `select max(leaf + ${ROW_LENGTH} - 1) as leaf, max(project_seq + ${ROW_LENGTH} - 1) as project_seq from events
     where chain_id in (select chain_id from chains where session_id = ?)`,
    [sessionId],
  );
  return row?.leaf == null || row.project_seq == null
    ? undefined
    : { leaf: row.leaf, projectSeq: row.project_seq };
}

/** Returns of how many events. */
export async function dropPayloads(uow: UnitOfWork, sessionId: string): Promise<number> {
  const where = 'payload is not null and chain_id in (select chain_id from chains where session_id = ?)';
  const held = await uow.get<{ n: number | null }>(
    `select cast(sum(${ROW_LENGTH}) as bigint) as n from events where ${where}`,
    [sessionId],
  );
  await uow.run(`update events set payload = null where ${where}`, [sessionId]);
  return held?.n ?? 0;
}

/** Rows as stored; the newest first. */
export async function selectNewestPayloads(
  reader: Reader,
  limit: number,
): Promise<{ readonly event_id: string; readonly payload: string | null }[]> {
  return reader.all('select event_id, payload from events order by seq desc limit ?', [limit]);
}
