/** CARP/1.0 on the wire. */
import { z } from 'zod';
import {
  actionIdSchema,
  atlasIdSchema,
  boundedText,
  instantText,
  openObject,
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
export type Task = z.infer<typeof taskSchema>;

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

/** As the published schema has it: `task` always, `execution` with operation execute. */
export const strictCarpRequestSchema = z.strictObject(requestShape).superRefine((request, context) => {
  if (request.task === undefined) missing(context, 'task');
  if (request.operation === 'execute' && request.execution === undefined) missing(context, 'execution');
});

/** What the server takes: an execute needs no task, since the session has a goal. */
export const carpRequestSchema = z.strictObject(requestShape).superRefine((request, context) => {
  if (request.operation === 'execute') {
    if (request.execution === undefined) missing(context, 'execution');
  } else if (request.task === undefined) missing(context, 'task');
});
export type CarpRequest = z.infer<typeof carpRequestSchema>;

function missing(context: z.RefinementCtx, key: string): void {
  context.addIssue({ code: 'custom', path: [key], message: 'Required' });
}

const rateLimitSchema = z.strictObject({
  max_calls: z.int().min(1),
  window_seconds: z.int().min(1),
});
export type RateLimit = z.infer<typeof rateLimitSchema>;

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

const executeErrorSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: openObject.optional(),
});

export const executeResponseSchema = z.object({
  carp_version: z.literal('1.0'),
  execution_id: z.string(),
  request_id: z.string(),
  resolution_id: z.string(),
  timestamp: z.string(),
  status: z.enum(['success', 'error', 'denied', 'pending_approval']),
  result: z.unknown(),
  error: executeErrorSchema.nullable(),
  trace_id: z.string(),
});
export type ExecuteResponse = z.infer<typeof executeResponseSchema>;

export const sessionStartSchema = z.strictObject({
  agent_id: boundedText(1, 255),
  goal: boundedText(1, 10_000),
  atlas_id: atlasIdSchema.optional(),
  metadata: openObject.optional(),
  session_id: z.guid().optional(),
  parent_session_id: z.guid().nullable().optional(),
});

export const sessionSchema = z.object({
  session_id: z.string(),
  agent_id: z.string().nullable(),
  goal: z.string().nullable(),
  status: z.enum(['active', 'ended']),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  end_reason: z.string().nullable(),
  atlas_id: z.string().nullable(),
  parent_session_id: z.string().nullable(),
  metadata: openObject.nullable(),
  trace_id: z.string(),
  callsign: z.string().nullable(),
  project_id: z.string(),
  actor: z.object({ id: z.string(), type: z.enum(['human', 'agent', 'script']) }),
  description: z.string().nullable(),
  started_at: z.string(),
});
export type SessionView = z.infer<typeof sessionSchema>;

export const approvalSchema = z.object({
  approval_id: z.string(),
  session_id: z.string(),
  agent_id: z.string(),
  resolution_id: z.string().nullable(),
  action_ids: z.array(z.string()),
  policy_id: z.string(),
  reason: z.string(),
  risk_tier: riskTierSchema,
  goal: z.string(),
  status: z
    .enum(['offered', 'pending', 'approved', 'rejected', 'expired'])
    .describe('`offered`: a resolution names it, and nobody was asked yet.'),
  requested_at: z.string(),
  asked_at: z.string().nullable().describe('Since when it stands in the inbox.'),
  expires_at: z.string(),
  approver: z.string().nullable(),
  decided_at: z.string().nullable(),
  decision_reason: z.string().nullable(),
  covers: z
    .enum(['session', 'call'])
    .describe(
      'What an approval lets through: every call of the actions in the session, or only the one that asked.',
    ),
  parameters: openObject
    .nullable()
    .describe(
      'Of the call that asked, secrets taken out; a number that JSON readers would round stands as text.',
    ),
  parameters_hash: z.string().nullable().describe('SHA-256 of the parameters as they were sent.'),
});
export type ApprovalView = z.infer<typeof approvalSchema>;
