import { z } from 'zod';
import { openObject, riskTierSchema } from '../schema.ts';

const boundSchema = z.object({
  path: z.string().describe('A parameter of the call.'),
  test: openObject.describe('What it must be, in the words of a condition.'),
});

export const standingAnswerSchema = z.object({
  id: z.string(),
  project_id: z.string(),
  agent_id: z.string(),
  action_id: z.string(),
  atlas: z.object({ atlas_id: z.string(), version: z.string() }),
  policy_id: z.string().describe('The rule that asks.'),
  risk_tier: riskTierSchema,
  approved: z.int().describe('How many such calls you approved, without an exception.'),
  since: z.string().describe('When you approved the first of them.'),
  last_at: z.string(),
  within: z.array(boundSchema).describe('What all of them have in common.'),
  free: z.array(z.string()).describe('Parameters that were another text each time, and may be anything.'),
  unseen: z
    .boolean()
    .describe('The action takes parameters besides those of its schema; the rule does not look at them.'),
  waiting: z.array(z.string()).describe('Open items that it would have answered.'),
});
export type StandingAnswer = z.infer<typeof standingAnswerSchema>;

const verdict = z.enum(['allow', 'deny', 'require_approval']);

export const replayedSchema = z.object({
  approval_id: z.string(),
  decided_at: z.string().nullable(),
  decided_by: z.string().nullable(),
  decision: z.enum(['approved', 'edited', 'rejected', 'waiting']),
  parameters: openObject,
  after: verdict.describe('What the draft decides about the same call.'),
});

export const draftedAnswerSchema = z.object({
  answer: standingAnswerSchema,
  new_policy_id: z.string(),
  manifest: openObject.describe('The next version of the Atlas. Nothing changes until somebody loads it.'),
  replayed: z
    .array(replayedSchema)
    .describe('Each such call that was decided or waits, by anybody, and what the draft would have done.'),
});
export type DraftedAnswer = z.infer<typeof draftedAnswerSchema>;
