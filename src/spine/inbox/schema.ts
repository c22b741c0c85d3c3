import { z } from 'zod';
import { decisions, ITEM_SORTS, itemStates, risks } from './item.ts';

const subjectSchema = z.object({ type: z.string(), id: z.string() });
const actorSchema = z.object({ id: z.string(), type: z.enum(['human', 'agent', 'script']) });
const choiceSchema = z.object({ id: z.string(), words: z.string().describe('What approving it allows.') });

/** Order, key and `seq` of the last item of a page. */
export const ITEM_CURSOR = /^(oldest|newest|risk|expiry)\.(\d{1,16})\.(\d{1,16})$/;

export const itemSchema = z.object({
  id: z.string(),
  seq: z.number().int().describe('The order in which items were opened; the cursor for `after`.'),
  kind: z.string(),
  project_id: z.string(),
  state: z.enum(itemStates),
  title: z.string(),
  requested_by: actorSchema.describe('The actor of the credential that asked.'),
  requested_for: actorSchema.describe(
    'The actor that the credential spoke for; the same where it spoke for nobody.',
  ),
  personal: z
    .boolean()
    .describe('It tells of a person. Those without the right see that it exists, and no more.'),
  can_decide: z.boolean().describe('Whether you could decide it; presence is asked for separately.'),
  cannot_decide: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why you cannot, where the item is open and you cannot.'),
  choices: z
    .array(choiceSchema)
    .describe(
      'What you may choose between when you approve, such as once or for the session; the first is the default.',
    ),
  quorum: z.int().describe('How many people have to agree; one who rejects decides alone.'),
  agreed_by: z.array(z.string()).describe('Who has agreed so far, where it takes more than one.'),
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
      choice: z.string().nullable().describe('Which of the choices was approved.'),
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
  requested_by: z.string().optional().describe('Only items requested by or for this actor.'),
  words: z.string().min(1).max(200).optional().describe('Only items whose title contains this.'),
  mine: z.boolean().optional().describe('Only items that you can decide.'),
  sort: z
    .enum(ITEM_SORTS)
    .optional()
    .describe('`risk`: the highest first; `expiry`: what expires next first. The oldest first by default.'),
  after: z.number().int().min(0).optional().describe('The `seq` of the last item you have, oldest first.'),
  cursor: z
    .string()
    .regex(ITEM_CURSOR, 'Must be `next` of an earlier page')
    .optional()
    .describe('`next` of the page before; it keeps the order of that page.'),
  limit: z.number().int().min(1).max(200).optional(),
});

export const itemListSchema = z.object({
  items: z.array(itemSchema),
  total: z.int().describe('How many items fit, on all pages together.'),
  next: z.string().nullable().describe('The cursor of the next page; null after the last.'),
});

export const itemCountsQuery = z.object({ project: z.string().optional().describe('Only this project.') });

export const itemCountsSchema = z.object({
  open: z.int().describe('All open items that you may know of.'),
  mine: z.int().describe('Those that you can decide.'),
  by_risk: z.record(z.enum(risks), z.int()),
  by_kind: z.record(z.string(), z.int()),
});

export const decisionSchema = z.object({
  decision: z.enum(decisions),
  choice: z.string().optional().describe('The id of one of the item’s `choices`; the first if left out.'),
  digest: z.string().describe('The digest of the item as you saw it.'),
  note: z.string().max(2000).optional(),
  edits: z.json().optional().describe('For `approve_with_edits`: what to approve instead.'),
});
