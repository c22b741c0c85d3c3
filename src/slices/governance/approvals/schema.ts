import { z } from 'zod';
import { openObject, riskTierSchema } from '../schema.ts';

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
