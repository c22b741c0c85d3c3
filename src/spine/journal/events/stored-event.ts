import type { Micros } from '../../../kernel/clock.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import {
  type ChainKind,
  type PrunedTraceEvent,
  TRACE_VERSION,
  type TraceEvent,
  traceEventLine,
} from '../../../kernel/trace/event.ts';
import { RUN_COLUMNS, type RunColumns } from './event-run.ts';

/** An event as the journal hands it out. */
export interface JournalEvent {
  /** Place among all events of the store, from 0; the tree's leaf index. */
  readonly leaf: number;
  /** Place among the events of its project, from 1. */
  readonly projectSeq: number;
  readonly projectId: string;
  readonly sessionId: string;
  readonly kind: ChainKind;
  readonly event: WireEvent;
  /** The event exactly as hashed, in wire form, without a line end. */
  readonly line: string;
  readonly insertedAt: Micros;
}

/** TRACE/1.0 as on the wire; `payload` is null once retention has dropped it. */
export type WireEvent = TraceEvent | PrunedTraceEvent;

/** The columns that the wire form is made of, and the instant, from which those of a row's other events follow. */
export interface WireRow extends RunColumns {
  readonly event_id: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly chain_id: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly time_us: number;
  readonly event_type: string;
  readonly payload: string | null;
  readonly event_hash: string;
  readonly previous_event_hash: string;
}

export interface StoredRow extends WireRow {
  readonly leaf: number;
  readonly project_seq: number;
  readonly project_id: string;
  readonly session_id: string;
  readonly kind: ChainKind;
}

export const WIRE_COLUMNS = `events.event_id, events.trace_id, events.span_id, events.parent_span_id, events.chain_id,
  events.sequence, events.timestamp, events.event_type, events.payload, events.event_hash, events.previous_event_hash,
  events.time_us, ${RUN_COLUMNS}`;

export const STORED_COLUMNS = `${WIRE_COLUMNS}, events.leaf, events.project_seq, events.project_id,
  chains.session_id, chains.kind`;

/** Deeper than any input may nest, so that a stored event can always be read. */
export const DEEPEST_PAYLOAD = 500;

export function journalEventOf(row: StoredRow): JournalEvent {
  return {
    leaf: row.leaf,
    projectSeq: row.project_seq,
    projectId: row.project_id,
    sessionId: row.session_id,
    kind: row.kind,
    event: wireEventOf(row),
    line: wireLineOf(row),
    insertedAt: row.time_us,
  };
}

export function wireEventOf(row: WireRow): WireEvent {
  const event = withoutPayload(row);
  if (row.payload === null) return event;
  return { ...event, payload: readJson(row.payload, { maxDepth: DEEPEST_PAYLOAD }) as JsonObject };
}

/** The payload goes out as it was hashed. */
export function wireLineOf(row: WireRow): string {
  return traceEventLine(withoutPayload(row), row.payload ?? 'null');
}

function withoutPayload(row: WireRow): PrunedTraceEvent {
  return {
    trace_version: TRACE_VERSION,
    event_id: row.event_id,
    trace_id: row.trace_id,
    span_id: row.span_id,
    parent_span_id: row.parent_span_id,
    session_id: row.chain_id,
    sequence: row.sequence,
    timestamp: row.timestamp,
    event_type: row.event_type,
    payload: null,
    event_hash: row.event_hash,
    previous_event_hash: row.previous_event_hash,
  };
}
