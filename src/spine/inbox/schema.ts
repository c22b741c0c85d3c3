import { z } from 'zod';
import { decisions, itemStates, risks } from './item.ts';

const subjectSchema = z.object({ type: z.string(), id: z.string() });
const actorSchema = z.object({ id: z.string(), type: z.enum(['human', 'agent', 'script']) });

export const itemSchema = z.object({
  id: z.string(),
  seq: z.number().int().describe('The order in which items were opened; the cursor for `after`.'),
  kind: z.string(),
  project_id: z.string(),
  state: z.enum(itemStates),
  title: z.string(),
  requested_by: actorSchema,
  subject: subjectSchema,
  digest: z.string().describe('Digest of the exact bytes to approve; a decision must repeat it.'),
  rule: z.string().describe('The rule that requires a person.'),
  risk: z.enum(risks),
  opened_at: z.string(),
  expires_at: z.string().nullable(),
  unblocks: z.array(subjectSchema),
  edits_allowed: z.boolean(),
  humans_only: z.boolean(),
  needs_presence: z
    .boolean()
    .describe('Whoever decides must prove presence, with the passphrase or a passkey.'),
  decision: z
    .object({
      decision: z.enum(decisions),
      decided_by: actorSchema,
      credential: z.string().describe('The kind of credential the person used.'),
      decided_at: z.string(),
      note: z.string().nullable(),
    })
    .nullable(),
  reason: z.string().nullable().describe('Why it failed or was superseded, as a code.'),
  details: z
    .record(z.string(), z.json())
    .optional()
    .describe(
      'What to look at before deciding, such as the parameters of an action or the text of a memory. Only when a single item is read, and only for those who may see it.',
    ),
});

export const itemListQuery = z.object({
  project: z.string().optional().describe('Only this project.'),
  state: z.enum(itemStates).optional().describe('Only this state; defaults to open items.'),
  kind: z.string().optional(),
  risk: z.enum(risks).optional(),
  requested_by: z.string().optional().describe('Only items requested by this actor.'),
  after: z.number().int().min(0).optional().describe('The `seq` of the last item you have.'),
  limit: z.number().int().min(1).max(200).optional(),
});

export const itemListSchema = z.object({ items: z.array(itemSchema) });

export const decisionSchema = z.object({
  decision: z.enum(decisions),
  digest: z.string().describe('The digest of the item as you saw it.'),
  note: z.string().max(2000).optional(),
  edits: z.json().optional().describe('For `approve_with_edits`: what to approve instead.'),
});
