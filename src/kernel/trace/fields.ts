import { isUuidShaped } from '../ids.ts';
import { parseInstant } from '../instant.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts';
import { traceErrors } from './errors.ts';
import { type ChainKind, isEventType } from './event-types.ts';
import { type PrunedTraceEvent, TRACE_VERSION, type TraceEvent } from './shape.ts';

const STRING_FIELDS = [
  'trace_version',
  'event_id',
  'trace_id',
  'span_id',
  'session_id',
  'timestamp',
  'event_type',
  'event_hash',
  'previous_event_hash',
] as const;

const ALL_FIELDS: ReadonlySet<string> = new Set([...STRING_FIELDS, 'parent_span_id', 'sequence', 'payload']);
const HASH = /^[0-9a-f]{64}$/;

/** Throws `invalid_event` unless every field is there with its type, and, when closed, nothing else is. */
export function eventFields(value: Json, closed: boolean): TraceEvent | PrunedTraceEvent {
  if (!isJsonObject(value)) throw invalid('', 'An event is an object.');
  for (const field of STRING_FIELDS) {
    if (typeof value[field] !== 'string') throw invalid(field, `${field} must be a string.`);
  }
  const { sequence, payload } = value;
  if (!Number.isSafeInteger(sequence) || (sequence as number) < 0) {
    throw invalid('sequence', 'sequence must be an integer from 0 on.');
  }
  if (payload !== null && !isJsonObject(payload)) throw invalid('payload', 'payload must be an object.');
  const parent = value.parent_span_id ?? null;
  if (parent !== null && typeof parent !== 'string') {
    throw invalid('parent_span_id', 'parent_span_id must be a string or null.');
  }
  if (closed) refuseUnknown(value);
  return (value.parent_span_id === parent
    ? value
    : { ...value, parent_span_id: parent }) as unknown as TraceEvent;
}

/**
 * The first field that breaks the syntax of TRACE/1.0. Hashing joins the fields without delimiters, so without this
 * check different events share a hash.
 */
export function syntaxFault(
  event: TraceEvent | PrunedTraceEvent,
  kind: ChainKind,
): { field: keyof TraceEvent; message: string } | undefined {
  if (event.trace_version !== TRACE_VERSION) {
    return { field: 'trace_version', message: 'trace_version must be "1.0".' };
  }
  for (const field of ['event_id', 'trace_id', 'span_id', 'parent_span_id', 'session_id'] as const) {
    const id = event[field];
    if (id !== null && !isUuidShaped(id)) return { field, message: `${field} must be a UUID.` };
  }
  if (parseInstant(event.timestamp) === undefined) {
    return { field: 'timestamp', message: 'timestamp must be an RFC 3339 instant.' };
  }
  if (!isEventType(kind, event.event_type)) {
    return { field: 'event_type', message: `event_type is none of a ${kind} chain.` };
  }
  for (const field of ['event_hash', 'previous_event_hash'] as const) {
    if (!HASH.test(event[field])) return { field, message: `${field} must be 64 lower-case hex digits.` };
  }
  return undefined;
}

export function invalid(field: string, message: string): Error {
  return traceErrors.invalid_event({ message, pointer: field === '' ? '' : `/${field}` });
}

function refuseUnknown(value: JsonObject): void {
  for (const key of Object.keys(value)) {
    if (!ALL_FIELDS.has(key)) {
      throw invalid(
        key.replaceAll('~', '~0').replaceAll('/', '~1'),
        `${JSON.stringify(key)} is no field of an event.`,
      );
    }
  }
}
