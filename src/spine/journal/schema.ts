import { z } from 'zod';

export const journalEntrySchema = z.object({
  leaf: z
    .number()
    .int()
    .describe('Position among all events of the store, from 0; the index of its leaf in the tree.'),
  project_seq: z.number().int().describe('Position among the events of its project, from 1.'),
  project_id: z.string(),
  session_id: z.string(),
  chain: z.enum(['trace', 'ledger']),
  event: z
    .looseObject({ event_id: z.string(), event_type: z.string(), timestamp: z.string() })
    .describe(
      'The event in TRACE/1.0 form, exactly as hashed; its payload is null once retention has dropped it.',
    ),
});

export const cursorQuery = z.object({
  project: z.string().optional().describe('Only this project; cursors then count its own events.'),
  types: z.array(z.string()).optional().describe('Only these event types; `package.*` matches a family.'),
  after: z
    .number()
    .int()
    .min(-1)
    .optional()
    .describe('Start after this number; defaults to the oldest event kept.'),
});

export const changesQuery = cursorQuery.extend({
  limit: z.number().int().min(1).max(1000).optional(),
  wait: z.number().min(0).max(55).optional().describe('Seconds to wait for new events if there are none.'),
  newest: z.boolean().optional().describe('Return the newest entries instead of the oldest.'),
  before: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Page backward: the last entries below this number. Cannot be combined with `after`.'),
});

export const changesSchema = z.object({
  events: z.array(journalEntrySchema),
  next: z.number().int().describe('The cursor for the next page.'),
  previous: z
    .number()
    .int()
    .nullable()
    .optional()
    .describe('With `newest` or `before`: the `before` of the previous page; null at the beginning.'),
});

export const checkpointSchema = z.object({
  size: z.number().int(),
  root: z.string().describe('The root of the tree over all events, hex.'),
  note: z.string().describe('The signed note in C2SP form.'),
  verifier_key: z.string().describe('The public key that verifies the note.'),
  at: z.string(),
  witnesses: z
    .array(
      z.object({
        name: z.string(),
        cosigned: z.number().int().describe('The largest size that it has cosigned.'),
        error: z.string().nullable().describe('Why the last request failed.'),
      }),
    )
    .describe('The witnesses that are asked to cosign.'),
});

export const consistencyQuery = z.object({
  first: z.number().int().min(0),
  second: z.number().int().min(0),
});

export const consistencySchema = z.object({
  first: z.number().int(),
  second: z.number().int(),
  path: z
    .array(z.string())
    .describe('RFC 6962, hex: that the tree of the first size is a prefix of the second.'),
});

export const verifyQuestion = z.object({
  events: z.boolean().optional().describe('Verify only the events, not the tables that they speak of.'),
  derived: z
    .boolean()
    .optional()
    .describe(
      'Also make tables that are made from others again and compare them: the search index. True unless given.',
    ),
  checkpoints: z
    .array(z.string().max(16_384))
    .max(2_000)
    .optional()
    .describe('Signed checkpoints that were kept elsewhere: shows a cut, a rewrite and a split view.'),
  keys: z
    .array(z.string().max(1_024))
    .max(100)
    .optional()
    .describe("Who must have signed the kept checkpoints; the store's own keys unless given."),
  witness_keys: z
    .array(z.string().max(1_024))
    .max(100)
    .optional()
    .describe('Witnesses, each of which must have cosigned a kept or stored checkpoint.'),
});

const faultSchema = z.object({
  kind: z.string(),
  message: z.string(),
  event_id: z.string().optional(),
  leaf: z.number().int().optional(),
  chain: z.string().optional(),
  sequence: z.number().int().optional(),
  table: z.string().optional().describe('The table of the row that is wrong, missing or too many.'),
  key: z.string().optional().describe('The key of that row.'),
});

export const verifyReportSchema = z.object({
  valid: z.boolean(),
  events: z.number().int(),
  chains: z.number().int(),
  pruned: z
    .number()
    .int()
    .describe('Events whose payload was dropped by retention; their hashes still count.'),
  checkpoints: z.number().int(),
  root: z.string().describe('The root of the tree over all events, hex.'),
  kept: z
    .object({
      checkpoints: z.number().int(),
      newest: z.number().int(),
      witnesses: z.array(z.object({ name: z.string(), size: z.number().int(), time: z.number().int() })),
    })
    .nullable()
    .describe('The kept checkpoints that were given; null if there were none.'),
  state: z
    .object({
      tables: z.number().int(),
      rows: z.number().int(),
      unattested: z.number().int().describe('Rows that were there before and are not adopted yet.'),
      attested_from: z.number().int().nullable().describe('Rows are attested from this leaf on.'),
    })
    .nullable()
    .describe('The tables, compared with the events; null when only the events were verified.'),
  derived: z
    .object({ tables: z.number().int(), rows: z.number().int() })
    .nullable()
    .describe('Tables that are made from others, made again and compared; null when they were left out.'),
  faults: z.array(faultSchema).describe('The first ones, in the order found.'),
  fault_count: z.number().int(),
});
