import { canonicalAppendixB } from '../json/canonical/appendix-b.ts';
import { isCompactAppendixB } from '../json/canonical/appendix-b-scan.ts';
import { readJson } from '../json/reader.ts';
import type { ChainKind } from './event-types.ts';
import { eventFields, invalid, syntaxFault } from './fields.ts';
import type { PrunedTraceEvent, TraceEvent } from './shape.ts';

/**
 * `lenient`: any JSON with the fields, for hashing what others wrote. `strict`: no duplicate or unknown member, every
 * field in its syntax. `exact`: also byte for byte as we write it (compact, strings and numbers as Appendix B has them),
 * so that no byte can change without being noticed.
 */
export type LineMode = 'exact' | 'strict' | 'lenient';

/** One line of a trace file, without its line feed. The payload is in canonical form. */
export function traceEventLine(event: TraceEvent | PrunedTraceEvent, canonicalPayload?: string): string {
  const payload = canonicalPayload ?? canonicalAppendixB(event.payload);
  const parent = event.parent_span_id === null ? 'null' : `"${event.parent_span_id}"`;
  return (
    `{"trace_version":"${event.trace_version}","event_id":"${event.event_id}","trace_id":"${event.trace_id}",` +
    `"span_id":"${event.span_id}","parent_span_id":${parent},"session_id":"${event.session_id}",` +
    `"sequence":${event.sequence},"timestamp":"${event.timestamp}","event_type":"${event.event_type}",` +
    `"payload":${payload},"event_hash":"${event.event_hash}","previous_event_hash":"${event.previous_event_hash}"}`
  );
}

/** Throws the JSON reader's errors or `invalid_event`, with the pointer. */
export function readTraceEvent(line: string, kind: ChainKind, mode: LineMode = 'strict'): TraceEvent {
  const event = readStoredEvent(line, mode);
  if (event.payload === null) throw invalid('payload', 'payload must be an object.');
  if (mode !== 'lenient') {
    const fault = syntaxFault(event, kind);
    if (fault !== undefined) throw invalid(fault.field, fault.message);
  }
  return event;
}

/** The same without checking field syntax, and with a payload that retention may have dropped. */
export function readStoredEvent(line: string, mode: LineMode): TraceEvent | PrunedTraceEvent {
  const event = eventFields(readJson(line, { lenient: mode === 'lenient' }), mode !== 'lenient');
  if (mode === 'exact' && !isCompactAppendixB(line)) {
    throw invalid('', 'The line is not written as Baton writes it.');
  }
  return event;
}
