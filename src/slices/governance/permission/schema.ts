/** CARP's questions in plain form: the server makes the envelope. */
import { z } from 'zod';
import { ownProject } from '../../../spine/operations/own-project.ts';
import { carpResolutionSchema } from '../resolution/schema.ts';
import { boundedText, openObject, riskTierSchema } from '../schema.ts';

const LONGEST_WAIT_SECONDS = 50;

const asking = {
  goal: boundedText(1, 10_000).optional().describe('What you are working on.'),
  session_id: z.guid().optional().describe('The session that you work in.'),
  project: ownProject,
};

const call = {
  action: z.string().min(1).max(255).describe('The id of the action, such as git.push.'),
  parameters: openObject
    .optional()
    .describe('What you would do it with: rules and people look at exactly this.'),
};

export const permissionQuestionSchema = z.strictObject({
  ...call,
  wait: z
    .number()
    .min(0)
    .max(LONGEST_WAIT_SECONDS)
    .optional()
    .describe('If a person has to agree: how many seconds to wait for them.'),
  ...asking,
});
export type PermissionQuestion = z.infer<typeof permissionQuestionSchema>;

export const permissionSchema = z.object({
  decision: z.enum(['allowed', 'needs_person', 'denied']),
  words: z.string().describe('The answer as a sentence, with what to do next.'),
  action: z.string(),
  rule: z.string().nullable().describe('The policy that decided.'),
  reason: z.string().nullable().describe('In the words of its author, or of the person who refused.'),
  approvals: z
    .array(
      z.object({
        approval_id: z.string(),
        rule: z.string(),
        approvers: z.array(z.string()).nullable().describe('Who may agree; null is anybody with the right.'),
        expires_at: z.string(),
      }),
    )
    .describe('What waits in the inbox for a person.'),
  limits: z.array(z.looseObject({ type: z.string() })).describe('Limits that apply to the action.'),
  retry_after_seconds: z.number().nullable(),
});
export type Permission = z.infer<typeof permissionSchema>;

export const offersQuestionSchema = z.strictObject({
  ...asking,
  goal: boundedText(1, 10_000).describe('What you want to achieve.'),
  risk_tier: riskTierSchema.optional(),
  context_hints: z.array(z.string()).optional(),
  required_capabilities: z.array(z.string()).optional(),
});
export type OffersQuestion = z.infer<typeof offersQuestionSchema>;
export const offersSchema = carpResolutionSchema;

export const performSchema = z.strictObject({
  ...call,
  idempotency_key: boundedText(1, 255).optional().describe('Give it to retry safely.'),
  ...asking,
});
