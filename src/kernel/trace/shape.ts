import type { JsonObject } from '../json/value.ts';

/** A TRACE/1.0 event as sent over the wire. */
export interface TraceEvent {
  readonly trace_version: string;
  readonly event_id: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly session_id: string;
  readonly sequence: number;
  /** Hashed as written, so it is never reformatted. */
  readonly timestamp: string;
  readonly event_type: string;
  readonly payload: JsonObject;
  readonly event_hash: string;
  readonly previous_event_hash: string;
}

/** What retention leaves of an event: the hash remains, but can no longer be computed. */
export type PrunedTraceEvent = Omit<TraceEvent, 'payload'> & { readonly payload: null };

/** Before the hash is known. */
export type UnhashedTraceEvent = Omit<TraceEvent, 'event_hash'>;

export const TRACE_VERSION = '1.0';

/** What the first event of a chain links to. */
export const GENESIS_HASH = '0'.repeat(64);
