import { TRACE_EVENT_TYPES } from '../../../kernel/trace/event-types.ts';
import { closed, document, instant, integer, open, uuid, uuidOrNull, version } from './common.ts';

const hash = { type: 'string', pattern: '^[a-f0-9]{64}$' };

export const traceEventJsonSchema = document(
  'trace-event',
  'TRACE event',
  closed(
    {
      trace_version: version,
      event_id: uuid,
      trace_id: uuid,
      span_id: uuid,
      parent_span_id: uuidOrNull,
      session_id: uuid,
      sequence: integer(0),
      timestamp: instant,
      event_type: { enum: TRACE_EVENT_TYPES },
      payload: open,
      event_hash: hash,
      previous_event_hash: hash,
    },
    [
      'trace_version',
      'event_id',
      'trace_id',
      'span_id',
      'session_id',
      'sequence',
      'timestamp',
      'event_type',
      'payload',
      'event_hash',
      'previous_event_hash',
    ],
  ),
);
