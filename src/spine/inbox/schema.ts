import { z } from 'zod';
import { decisions, GROUP_SORTS, ITEM_SORTS, itemStates, MOST_AT_ONCE, risks } from './item.ts';

const subjectSchema = z.object({ type: z.string(), id: z.string() });
const actorSchema = z.object({ id: z.string(), type: z.enum(['human', 'agent', 'script']) });
const choiceSchema = z.object({ id: z.string(), words: z.string().describe('What approving it allows.') });

/** Order, key and `seq` of the last item of a page. */
export const ITEM_CURSOR = /^(oldest|newest|risk|expiry|urgency)\.(\d{1,16})\.(\d{1,16})$/;

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
  like: z
    .string()
    .nullable()
    .describe(
      'Shared by like requests: the same kind, rule, risk, agent and action. Null where it stands alone.',
    ),
  highlights: z
    .array(
      z.object({
        name: z.string(),
        value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
        deciding: z.boolean().describe('The rule that asks looks at it.'),
      }),
    )
    .optional()
    .describe('The few values that tell it from its like, for those who may see them. In lists only.'),
  aside: z
    .object({
      until: z.string().nullable(),
      handed_to: z.string().nullable(),
      at: z.string(),
    })
    .nullable()
    .describe('You have put it aside, until a time or into the hands of another person.'),
  handed_by: z.array(z.string()).describe('Who has handed it to you.'),
  undo_until: z
    .string()
    .nullable()
    .describe('Until when the decision is held back, and can be undone by whoever made it.'),
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
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'What to look at before deciding, such as the parameters of an action or the text of a memory. Only when a single item is read, and only for those who may see it.',
    ),
});

const narrowingShape = {
  project: z.string().optional().describe('Only this project.'),
  kind: z.string().optional(),
  risk: z.enum(risks).optional(),
  requested_by: z.string().optional().describe('Only items requested by or for this actor.'),
  words: z.string().min(1).max(200).optional().describe('Only items whose title contains this.'),
  mine: z.boolean().optional().describe('Only items that you can decide and have not put aside.'),
  aside: z.boolean().optional().describe('Only items that you have put aside for now.'),
};

export const itemListQuery = z.object({
  ...narrowingShape,
  state: z.enum(itemStates).optional().describe('Only this state; defaults to open items.'),
  like: z.string().max(100).optional().describe('Only requests that are alike: `like` of one of them.'),
  sort: z
    .enum(ITEM_SORTS)
    .optional()
    .describe(
      '`risk`: the highest first; `expiry`: what expires next first; `urgency`: what expires in the next minute first, then the next, the highest risk first in each. The oldest first by default.',
    ),
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

export const itemGroupsQuery = z.object({
  ...narrowingShape,
  sort: z
    .enum(GROUP_SORTS)
    .optional()
    .describe('As of a list; a group stands where its first item would. `urgency` by default.'),
  cursor: z
    .string()
    .regex(ITEM_CURSOR, 'Must be `next` of an earlier page')
    .optional()
    .describe('`next` of the page before; it keeps the order of that page.'),
  limit: z.number().int().min(1).max(200).optional(),
});

export const itemGroupsSchema = z.object({
  groups: z.array(
    z.object({
      count: z.int().describe('How many like requests fit; list them with `like` of the first.'),
      first: itemSchema.describe('The one that comes first.'),
    }),
  ),
  total: z.int().describe('How many groups there are on all pages together.'),
  items: z.int().describe('How many items are in all of them.'),
  next: z.string().nullable().describe('The cursor of the next page; null after the last.'),
});

export const itemCountsQuery = z.object(narrowingShape);

const perName = z.record(z.string(), z.int());

export const itemCountsSchema = z.object({
  open: z.int().describe('All open items that fit and that you may know of.'),
  mine: z.int().describe('Those that you can decide and have not put aside.'),
  aside: z.int().describe('Those that you have put aside for now.'),
  total: z.int().describe('What a list with the same filters would count.'),
  by_risk: z.record(z.enum(risks), z.int()),
  by_kind: perName,
  by_agent: perName.describe('By the actor in whose name it was asked.'),
  by_project: perName,
});

const undoSeconds = z
  .int()
  .min(0)
  .max(60)
  .optional()
  .describe('Hold the effect back for so long, so that the decision can be undone; 0 unless given.');

export const decideManySchema = z.object({
  decisions: z
    .array(
      z.object({
        id: z.string(),
        digest: z.string().describe('The digest of this item as you saw it.'),
        choice: z.string().optional().describe('The id of one of its `choices`; the first if left out.'),
      }),
    )
    .min(1)
    .max(MOST_AT_ONCE),
  decision: z.enum(['approve', 'reject']),
  note: z.string().max(2000).optional(),
  undo_seconds: undoSeconds,
});

export const decidedManySchema = z.object({
  decided: z.int().describe('How many are decided as you said, those included that were already.'),
  refused: z.int(),
  results: z
    .array(
      z.object({
        id: z.string(),
        outcome: z
          .enum(['decided', 'repeated', 'refused'])
          .describe('`repeated`: you had decided the same before.'),
        item: itemSchema.optional(),
        error: z
          .object({
            code: z.string(),
            message: z.string(),
            next: z.string().optional(),
            details: z.record(z.string(), z.unknown()).optional(),
          })
          .optional(),
      }),
    )
    .describe('One for each, in the order given.'),
});

export const deferSchema = z.object({ until: z.string().describe('An instant before the item expires.') });
export const delegateSchema = z.object({ to: z.string().min(1).max(200).describe('The id of a person.') });

export const decisionSchema = z.object({
  decision: z.enum(decisions),
  choice: z.string().optional().describe('The id of one of the item’s `choices`; the first if left out.'),
  digest: z.string().describe('The digest of the item as you saw it.'),
  note: z.string().max(2000).optional(),
  edits: z.unknown().optional().describe('For `approve_with_edits`: what to approve instead.'),
  undo_seconds: undoSeconds,
});
