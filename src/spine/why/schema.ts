import { z } from 'zod';

export const whyQuery = z.object({
  id: z
    .string()
    .min(1)
    .max(500)
    .describe('Of a package, fact, event, resolution, execution, inbox item, memory, turn, task or span.'),
  kind: z.string().min(1).max(50).optional().describe('Which of them, where one id means several.'),
  project: z.string().optional().describe('Where to look; wherever you can see unless given.'),
  depth: z.number().int().min(1).max(12).optional().describe('How far back; 6 unless given.'),
});

const stepSchema = z.object({
  leaf: z.number().int().describe('Of the event in the tree of the journal.'),
  event_id: z.string(),
  event_hash: z.string(),
  type: z.string(),
  at: z.string(),
  by: z.string().describe('The actor.'),
  words: z.string(),
  pruned: z
    .literal(true)
    .optional()
    .describe('Retention dropped the payload: its hash stands, it has no proof.'),
});

export const explanationSchema = z.object({
  project_id: z.string(),
  kind: z.string(),
  id: z.string(),
  nodes: z
    .array(
      z.object({
        kind: z.string(),
        id: z.string(),
        steps: z.array(stepSchema).describe('What the journal says of it, in order.'),
        cut: z.boolean().describe('It rests on more than is shown.'),
      }),
    )
    .describe('The first is what was asked about.'),
  links: z
    .array(z.object({ from: z.number().int(), to: z.number().int(), as: z.string() }))
    .describe('`from` rests on `to`: places in `nodes`.'),
});

export type Explanation = z.output<typeof explanationSchema>;
