import { z } from 'zod';
import { openObject, projectParameter, riskTierSchema } from '../schema.ts';

const APPROVAL_STATUSES = ['offered', 'pending', 'approved', 'rejected', 'expired'] as const;

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
    .enum(APPROVAL_STATUSES)
    .describe('`offered`: a resolution names it, and nobody has been asked yet.'),
  requested_at: z.string(),
  asked_at: z.string().nullable().describe('When it was put in the inbox.'),
  expires_at: z.string(),
  approver: z.string().nullable(),
  decided_at: z.string().nullable(),
  decision_reason: z.string().nullable(),
  covers: z
    .enum(['session', 'call'])
    .describe(
      'What the approval allows: every call of the actions in the session, or only the call that asked.',
    ),
  parameters: openObject
    .nullable()
    .describe(
      'The parameters of the call that asked, with secrets removed; numbers that JSON readers would round are text.',
    ),
  parameters_hash: z.string().nullable().describe('SHA-256 of the parameters as they were sent.'),
});
export type ApprovalView = z.infer<typeof approvalSchema>;

export const approvalFilterSchema = z.object({
  project: projectParameter,
  status: z.enum([...APPROVAL_STATUSES, 'all']).optional(),
  limit: z.int().min(1).max(100).optional(),
});

export const decisionSchema = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  approver: z.string().optional(),
  reason: z.string().max(1000).optional(),
});
export type ApprovalDecision = z.infer<typeof decisionSchema>;
