import { z } from 'zod';
import { TRACE_EVENT_TYPES } from '../../../kernel/trace/event-types.ts';
import { instantText, openObject, riskTierSchema } from '../schema.ts';

const hash = z.string().regex(/^[a-f0-9]{64}$/, 'Must be 64 lower-case hex digits');

/** A TRACE/1.0 event on the wire. */
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
export type TraceVerification = z.infer<typeof traceVerificationSchema>;

/** What a resolution was made from, stored beside the trace: one line per request in `<session>.inputs.jsonl`. */
export const recordedInputSchema = z.strictObject({
  inputs_version: z.literal('1'),
  session_id: z.string(),
  request_id: z.string(),
  resolution_id: z.string().nullable(),
  agent_id: z.string(),
  subagent: z.string().optional(),
  goal: z.string(),
  risk_tier: riskTierSchema,
  context_hints: z.array(z.string()),
  required_capabilities: z.array(z.string()),
  context: openObject,
  scopes: z.array(z.string()),
  decided_at: z.string(),
  atlases: z.array(
    z.strictObject({
      atlas_id: z.string(),
      version: z.string(),
      digest: z.string(),
      mode: z.enum(['enforce', 'log_only']),
    }),
  ),
  resolution_digest: z.string(),
});
export type RecordedInput = z.infer<typeof recordedInputSchema>;

export const traceQuerySchema = z.object({
  event_type: z.string().optional(),
  since_sequence: z.int().min(-1).optional(),
  limit: z.int().min(1).max(1000).optional(),
});
