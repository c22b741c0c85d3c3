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

/** An Atlas that had a say in a decision. */
export const decidingAtlasSchema = z.strictObject({
  atlas_id: z.string(),
  version: z.string(),
  digest: z.string(),
  mode: z.enum(['enforce', 'log_only']),
  /** Only its rules counted: it was a guardrail, or what another depends on. */
  rules_only: z.literal(true).optional(),
  guardrail: z.literal(true).optional(),
});
export type DecidingAtlas = z.infer<typeof decidingAtlasSchema>;

/** What the server knew besides the request. */
export const knowledgeShape = {
  /** Whose credential asked. Absent in records from before rules could look at it. */
  asker: z
    .strictObject({ actor: z.string(), actor_type: z.string(), credential: z.string(), project: z.string() })
    .optional(),
  /** The facts that rules looked at. */
  facts: z
    .array(
      z.strictObject({
        subject: z.string(),
        predicate: z.string(),
        fact_id: z.string(),
        digest: z.string(),
        by: z.strictObject({ id: z.string(), type: z.string() }),
        value: z.string(),
      }),
    )
    .optional(),
};

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
  ...knowledgeShape,
  decided_at: z.string(),
  atlases: z.array(decidingAtlasSchema),
  resolution_digest: z.string(),
});
export type RecordedInput = z.infer<typeof recordedInputSchema>;

export const traceQuerySchema = z.object({
  event_type: z.string().optional(),
  since_sequence: z.int().min(-1).optional(),
  limit: z.int().min(1).max(1000).optional(),
});
