import { z } from 'zod';
import { ownProject } from '../../../spine/operations/own-project.ts';
import { openObject, riskTierSchema } from '../schema.ts';
import { GRANT_COVERS } from './grant-rules.ts';

const APPROVAL_STATUSES = ['offered', 'pending', 'approved', 'rejected', 'expired'] as const;

const coversSchema = z
  .enum(GRANT_COVERS)
  .describe(
    '`call`: the call that asked, once. `action`: one call, whatever its parameters, decided before they were known. `session`: every call in the session. `rule`: every call of the agent, until revoked.',
  );

const choicesSchema = z
  .array(z.object({ id: z.enum(GRANT_COVERS), words: z.string() }))
  .describe(
    'What whoever approves may choose between, as far as the policy permits; the first is the default.',
  );

const atlasSchema = z.object({ atlas_id: z.string(), version: z.string(), digest: z.string() });

export const grantSchema = z.object({
  approval_id: z.string(),
  agent_id: z.string(),
  session_id: z.string().nullable().describe('Null for a rule, which holds in every session.'),
  action_ids: z.array(z.string()),
  atlas: atlasSchema.describe('The policy of this version; a changed Atlas asks again.'),
  policy_id: z.string(),
  covers: coversSchema,
  allows: z.string().describe('The same in words.'),
  may_differ: z.array(z.string()),
  risk_tier: riskTierSchema,
  granted_by: z.string(),
  granted_at: z.string(),
  agreed_by: z.array(z.string()).describe('Who agreed before, where one person was not enough.'),
  expires_at: z.string().nullable(),
  uses: z.int().describe('How many calls have passed by it.'),
  used_by: z.string().nullable().describe('The execution that used it first.'),
  revoked_by: z.string().nullable(),
  revoked_at: z.string().nullable(),
});
export type GrantView = z.infer<typeof grantSchema>;

export const grantFilterSchema = z.object({
  project: ownProject,
  covers: coversSchema.optional(),
  all: z.boolean().optional().describe('Also what was used up, has expired or was revoked.'),
  limit: z.int().min(1).max(100).optional(),
  offset: z.int().min(0).optional(),
});

export const approvalSchema = z.object({
  approval_id: z.string(),
  session_id: z.string(),
  agent_id: z.string(),
  resolution_id: z.string().nullable(),
  action_ids: z.array(z.string()),
  atlas: atlasSchema.nullable(),
  policy_id: z.string(),
  requested_by: z.string().nullable().describe('The actor of the credential that asked.'),
  approvers: z
    .array(z.string())
    .nullable()
    .describe('Who may decide, as globs; null for everyone with the scope.'),
  quorum: z.int().describe('How many people have to agree.'),
  agreed_by: z.array(z.string()).describe('Who agreed before `approver`, where it takes more than one.'),
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
  covers: coversSchema,
  allows: z.string().describe('What a yes allows, or has allowed, in words.'),
  choices: choicesSchema,
  may_differ: z.array(z.string()).describe('Parameters that may differ from those shown, by path.'),
  parameters: openObject
    .nullable()
    .describe(
      'The parameters of the call that asked, with secrets removed; numbers that JSON readers would round are text.',
    ),
  parameters_hash: z.string().nullable().describe('SHA-256 of the parameters as they were sent.'),
  approved_parameters: openObject
    .nullable()
    .describe('What was approved instead, if the person changed it: the call passes with exactly these.'),
});
export type ApprovalView = z.infer<typeof approvalSchema>;

export const approvalFilterSchema = z.object({
  project: ownProject,
  status: z.enum([...APPROVAL_STATUSES, 'all']).optional(),
  limit: z.int().min(1).max(100).optional(),
  offset: z.int().min(0).optional(),
});

export const decisionSchema = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  covers: coversSchema.optional().describe('How much is approved: one of `choices`; the first if left out.'),
  approver: z.string().optional(),
  reason: z.string().max(1000).optional(),
});
export type ApprovalDecision = z.infer<typeof decisionSchema>;
