import { z } from 'zod';

export const journalEntrySchema = z.object({
  leaf: z
    .number()
    .int()
    .describe('Place among all events of the store, from 0; the index of its leaf in the tree.'),
  project_seq: z.number().int().describe('Place among the events of its project, from 1.'),
  project_id: z.string(),
  session_id: z.string(),
  chain: z.enum(['trace', 'ledger']),
  event: z
    .looseObject({ event_id: z.string(), event_type: z.string(), timestamp: z.string() })
    .describe(
      'The event in TRACE/1.0 form, exactly as hashed; its payload is null once retention dropped it.',
    ),
});

export const cursorQuery = z.object({
  project: z.string().optional().describe('Only this project; cursors are then its own sequence.'),
  types: z.array(z.string()).optional().describe('Only these event types; `package.*` takes a family.'),
  after: z
    .number()
    .int()
    .min(-1)
    .optional()
    .describe('Go on after this number; without it, from the oldest kept.'),
});

export const changesQuery = cursorQuery.extend({
  limit: z.number().int().min(1).max(1000).optional(),
  wait: z
    .number()
    .min(0)
    .max(55)
    .optional()
    .describe('Seconds to wait for something new when there is nothing.'),
  newest: z.boolean().optional().describe('The newest entries instead of the oldest.'),
  before: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Page back: the last entries below this number. Not together with `after`.'),
});

export const changesSchema = z.object({
  events: z.array(journalEntrySchema),
  next: z.number().int().describe('The cursor to go on with.'),
  previous: z
    .number()
    .int()
    .nullable()
    .optional()
    .describe('With `newest` or `before`: the `before` of the page before this one; null at the beginning.'),
});

export const checkpointSchema = z.object({
  size: z.number().int(),
  root: z.string().describe('The root of the tree over all events, hex.'),
  note: z.string().describe('The signed note in C2SP form.'),
  verifier_key: z.string().describe('The key that checks the note.'),
  at: z.string(),
});

export const verifyReportSchema = z.object({
  valid: z.boolean(),
  events: z.number().int(),
  chains: z.number().int(),
  pruned: z.number().int().describe('Events whose payload retention dropped: their hashes still count.'),
  checkpoints: z.number().int(),
  root: z.string().describe('The root of the tree over all events, hex.'),
  problems: z.array(z.looseObject({ error: z.string(), message: z.string() })),
  problem_count: z.number().int(),
});
