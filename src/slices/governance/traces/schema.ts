/** TRACE/1.0 events on the wire. */
import { z } from 'zod';
import { TRACE_EVENT_TYPES } from '../../../kernel/trace/event-types.ts';
import { instantText, openObject } from '../schema.ts';

const hash = z.string().regex(/^[a-f0-9]{64}$/, 'Must be 64 lower-case hex digits');

export const traceEventSchema = z.strictObject({
  trace_version: z.literal('1.0'),
  event_id: z.guid(),
  trace_id: z.guid(),
  span_id: z.guid(),
  parent_span_id: z.guid().nullable().optional(),
  session_id: z.guid(),
  sequence: z.int().min(0),
  timestamp: instantText,
  event_type: z.enum(TRACE_EVENT_TYPES),
  payload: openObject,
  event_hash: hash,
  previous_event_hash: hash,
});

export const traceVerificationSchema = z.object({
  valid: z.boolean(),
  event_count: z.int(),
  ended: z.boolean(),
  errors: z.array(
    z.looseObject({ sequence: z.int().nullable(), error: z.string(), details: z.unknown().optional() }),
  ),
});
