/** CARP/1.0 on the wire. */
import { z } from 'zod';
import {
  actionIdSchema,
  atlasIdSchema,
  boundedText,
  instantText,
  openObject,
  publishedAs,
  riskTierSchema,
} from '../schema.ts';

const OPERATIONS = ['resolve', 'execute', 'validate'] as const;
const DECISION_TYPES = ['allow', 'deny', 'partial', 'requires_approval'] as const;
const CONSTRAINT_TYPES = ['rate_limit', 'budget', 'time_window', 'require_approval', 'scope'] as const;

const requesterSchema = z.strictObject({
  agent_id: boundedText(1, 255),
  session_id: z.guid(),
  parent_session_id: z.guid().nullable().optional(),
});

const taskSchema = z.strictObject({
  goal: boundedText(1, 10_000),
  risk_tier: riskTierSchema.optional(),
  context_hints: z.array(z.string()).optional(),
  required_capabilities: z.array(z.string()).optional(),
});

const executionSchema = z.strictObject({
  resolution_id: z.guid(),
  action_id: actionIdSchema,
  parameters: openObject,
  idempotency_key: boundedText(0, 255).nullable().optional(),
});

const requestShape = {
  carp_version: z.literal('1.0'),
  request_id: z.guid(),
  timestamp: instantText,
  operation: z.enum(OPERATIONS),
  requester: requesterSchema,
  task: taskSchema.optional(),
  execution: executionSchema.optional(),
  atlas_ids: z.array(atlasIdSchema).optional(),
  context: openObject.optional(),
};

/** The published form: `task` always, `execution` with the operation execute. */
export const strictCarpRequestSchema = z
  .strictObject({ ...requestShape, task: taskSchema })
  .superRefine((request, context) => {
    if (request.operation === 'execute' && request.execution === undefined) missing(context, 'execution');
  })
  .register(publishedAs, {
    if: { properties: { operation: { const: 'execute' } }, required: ['operation'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['execution'] },
  });

/** What the server accepts: an execute needs no task, since the session has a goal. */
export const carpRequestSchema = z.strictObject(requestShape).superRefine((request, context) => {
  if (request.operation === 'execute') {
    if (request.execution === undefined) missing(context, 'execution');
  } else if (request.task === undefined) missing(context, 'task');
});
export type CarpRequest = z.infer<typeof carpRequestSchema>;

/** The handler reads the body itself, so that an error has CRA's own code and the pointer of the member. */
export const carpRequestBody = z.looseObject({}).meta({
  title: 'CARP request',
  description: 'See /v1/schemas/carp-request.',
}) as unknown as z.ZodType<CarpRequest>;

/** The codes that refuse a CARP request before any policy is asked. */
export const REFUSALS = [
  'invalid_carp_request',
  'session_not_found',
  'session_not_owned',
  'session_already_ended',
  'clock_skew',
  'duplicate_request',
  'atlas_not_found',
];

function missing(context: z.RefinementCtx, key: string): void {
  context.addIssue({ code: 'custom', path: [key], message: 'Required' });
}

const rateLimitSchema = z.strictObject({
  max_calls: z.int().min(1),
  window_seconds: z.int().min(1),
});

const decisionSchema = z.strictObject({
  type: z.enum(DECISION_TYPES),
  reason: z.string().nullable().optional(),
  approval_id: z.string().nullable().optional(),
  expires_at: instantText.nullable().optional(),
});

const contextBlockSchema = z.strictObject({
  block_id: z.string(),
  source: z.string(),
  content_type: z.enum(['text/markdown', 'text/plain', 'application/json']),
  content: z.string(),
  priority: z.int().min(0).max(1000),
  token_estimate: z.int().min(0).optional(),
  metadata: openObject.optional(),
});
export type ContextBlock = z.infer<typeof contextBlockSchema>;

const allowedActionSchema = z.strictObject({
  action_id: actionIdSchema,
  name: z.string(),
  description: z.string(),
  parameters_schema: openObject.optional(),
  returns_schema: openObject.optional(),
  risk_tier: riskTierSchema.optional(),
  requires_confirmation: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  rate_limit: rateLimitSchema.optional(),
});
export type AllowedAction = z.infer<typeof allowedActionSchema>;

const deniedActionSchema = z.strictObject({
  action_id: z.string(),
  reason: z.string(),
  policy_id: z.string().optional(),
});
export type DeniedAction = z.infer<typeof deniedActionSchema>;

const constraintSchema = z.strictObject({
  constraint_id: z.string(),
  type: z.enum(CONSTRAINT_TYPES),
  parameters: openObject.optional(),
});
export type Constraint = z.infer<typeof constraintSchema>;

export const carpResolutionSchema = z.strictObject({
  carp_version: z.literal('1.0'),
  resolution_id: z.guid(),
  request_id: z.guid(),
  timestamp: instantText,
  decision: decisionSchema,
  context_blocks: z.array(contextBlockSchema),
  allowed_actions: z.array(allowedActionSchema),
  denied_actions: z.array(deniedActionSchema),
  constraints: z.array(constraintSchema),
  ttl_seconds: z.int().min(0).max(86_400),
  trace_id: z.guid(),
});
export type CarpResolution = z.infer<typeof carpResolutionSchema>;

/** What `POST /v1/explain` asks: without an action, about every action of the Atlases. */
export const explainQuestionSchema = z.strictObject({
  agent_id: z.string().min(1),
  action_id: z.string().optional(),
  risk_tier: riskTierSchema.optional(),
  context: openObject.optional(),
  parameters: openObject.optional(),
  atlas_ids: z.array(z.string()).optional(),
  now: z.string().optional(),
});
export type ExplainQuestion = z.infer<typeof explainQuestionSchema>;
