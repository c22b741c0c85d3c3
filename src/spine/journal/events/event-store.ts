import type { UnitOfWork } from '../../storage/database.ts';
import { insertion } from '../../storage/insertion.ts';

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
