import { isUuidShaped } from '../../../kernel/ids.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { eventPreimage, TRACE_VERSION } from '../../../kernel/trace/event.ts';
import { skeletonText } from '../chains/pruning-record.ts';
import { expandRuns, isRunSound } from '../events/event-run.ts';
import type { WireRow } from '../events/stored-event.ts';
import type { Fault } from './report.ts';

/** What verification looks at, however it was read. */
export interface CheckedEvent {
  readonly eventId: string;
  readonly chainId: string;
  readonly sequence: number;
  readonly eventHash: string;
  readonly previousHash: string;
  readonly traceId: string;
  readonly projectId: string;
  readonly eventType: string;
  /** Null until the event is numbered. */
  readonly leaf: number | null;
  readonly projectSeq: number | null;
  /** Stored microseconds, and whether they are those of the timestamp, which is hashed. */
  readonly time: number;
  readonly timeFits: boolean;
  /** All that is left once the payload is gone, as the record of a pruning covers it. */
  readonly skeleton: () => string;
  /** What the event hash is of; null once the payload is gone. */
  readonly preimage: string | null;
  /** A field that is not in its syntax. */
  readonly fault?: string;
}

/** Where a fault of the event is. */
export function placeOf({ eventId, leaf, chainId, sequence }: CheckedEvent): Omit<Fault, 'kind' | 'message'> {
  return {
    eventId,
    ...(leaf === null ? {} : { leaf }),
    chain: chainId,
    sequence,
    table: 'events',
    key: eventId,
  };
}

export interface CheckedRow extends WireRow {
  readonly project_id: string;
  readonly leaf: number | null;
  readonly project_seq: number | null;
}

/** All events of a row, whose payload is opened. */
export function checkedEventsOf(row: CheckedRow): CheckedEvent[] {
  if (!isRunSound(row)) return [{ ...checkedEventOf(row), fault: 'run_hashes' }];
  return expandRuns([row]).map(checkedEventOf);
}

function checkedEventOf(row: CheckedRow): CheckedEvent {
  const fault = syntaxFault(row);
  return {
    eventId: row.event_id,
    chainId: row.chain_id,
    sequence: row.sequence,
    eventHash: row.event_hash,
    previousHash: row.previous_event_hash,
    traceId: row.trace_id,
    projectId: row.project_id,
    eventType: row.event_type,
    leaf: row.leaf,
    projectSeq: row.project_seq,
    time: row.time_us,
    timeFits: isTimeOf(row.timestamp, row.time_us),
    skeleton: () => skeletonText(row),
    preimage: row.payload === null ? null : preimageOf(row, row.payload),
    ...(fault === undefined ? {} : { fault }),
  };
}

function preimageOf(row: CheckedRow, payload: string): string {
  return eventPreimage(
    {
      trace_version: TRACE_VERSION,
      event_id: row.event_id,
      trace_id: row.trace_id,
      span_id: row.span_id,
      parent_span_id: row.parent_span_id,
      session_id: row.chain_id,
      sequence: row.sequence,
      timestamp: row.timestamp,
      event_type: row.event_type,
      previous_event_hash: row.previous_event_hash,
    },
    payload,
  );
}

/** Timestamps have one form, so writing the instant again is the comparison. */
export function isTimeOf(timestamp: string, micros: number): boolean {
  return (
    Number.isSafeInteger(micros) && Math.abs(micros) < LATEST_MICROS && formatMicros(micros) === timestamp
  );
}

/** The year 10000, from which on there is another form. */
const LATEST_MICROS = 253_402_300_800_000_000;

const HASH = /^[0-9a-f]{64}$/;
/** As we write it, to the microsecond. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** The preimage has no delimiters: only fields in their syntax keep two events from sharing one. */
function syntaxFault(row: CheckedRow): string | undefined {
  if (!isUuidShaped(row.event_id)) return 'event_id';
  if (!isUuidShaped(row.trace_id)) return 'trace_id';
  if (!isUuidShaped(row.span_id)) return 'span_id';
  if (row.parent_span_id !== null && !isUuidShaped(row.parent_span_id)) return 'parent_span_id';
  if (!isUuidShaped(row.chain_id)) return 'session_id';
  if (!TIMESTAMP.test(row.timestamp)) return 'timestamp';
  if (!HASH.test(row.event_hash)) return 'event_hash';
  if (row.payload !== null && !(row.payload.startsWith('{') && row.payload.endsWith('}'))) return 'payload';
  return undefined;
}
