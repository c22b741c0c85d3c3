/** The TRACE/1.0 event: its shape, its hash and its line. */
export { type ChainKind, TRACE_EVENT_TYPES, type TraceEventType } from './event-types.ts';
export { eventHash, eventPreimage } from './hash.ts';
export { type LineMode, readTraceEvent, traceEventLine } from './line.ts';
export {
  GENESIS_HASH,
  type PrunedTraceEvent,
  TRACE_VERSION,
  type TraceEvent,
  type UnhashedTraceEvent,
} from './shape.ts';
