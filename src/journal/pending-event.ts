import type { UnitOfWork } from '../storage/database.ts';

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

const COLUMNS = [
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
];

/** Bounded so that the engines keep few prepared statements. */
const ROWS_PER_STATEMENT = 32;
const statements: string[] = [];

function insertStatement(rows: number): string {
  statements[rows] ??= `insert into events (${COLUMNS.join(', ')}) values ${Array(rows)
    .fill(`(${Array(COLUMNS.length).fill('?').join(', ')})`)
    .join(', ')}`;
  return statements[rows];
}

export async function insertEvents(
  uow: UnitOfWork,
  events: readonly PendingEvent[],
  numbers: readonly EventNumber[],
): Promise<void> {
  for (let start = 0; start < events.length; start += ROWS_PER_STATEMENT) {
    const chunk = events.slice(start, start + ROWS_PER_STATEMENT);
    const params = chunk.flatMap((event, offset) => [
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
      numbers[start + offset]?.leaf ?? null,
      numbers[start + offset]?.projectSeq ?? null,
    ]);
    await uow.run(insertStatement(chunk.length), params);
  }
}
