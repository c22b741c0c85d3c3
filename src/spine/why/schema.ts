import { z } from 'zod';

export const whyQuery = z.object({
  id: z
    .string()
    .min(1)
    .max(500)
    .describe('Id of a package, fact, event, resolution, execution, inbox item, memory, turn, task or span.'),
  kind: z.string().min(1).max(50).optional().describe('The kind of thing, if several share this id.'),
  project: z.string().optional().describe('The project to look in; defaults to every project you can see.'),
  depth: z.number().int().min(1).max(12).optional().describe('How far back to go; defaults to 6.'),
});

const stepSchema = z.object({
  leaf: z.number().int().describe('Index of the event in the journal’s tree.'),
  event_id: z.string(),
  event_hash: z.string(),
  type: z.string(),
  at: z.string(),
  by: z.string().describe('The actor.'),
  words: z.string(),
  pruned: z
    .literal(true)
    .optional()
    .describe('Retention dropped the payload: its hash remains, but there is no proof.'),
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
        steps: z.array(stepSchema).describe('What the journal says about it, in order.'),
        cut: z.boolean().describe('It has more causes than are shown.'),
      }),
    )
    .describe('The first is the subject of the question.'),
  links: z
    .array(z.object({ from: z.number().int(), to: z.number().int(), as: z.string() }))
    .describe('`from` was caused by `to`; both are indexes into `nodes`.'),
});

export type Explanation = z.output<typeof explanationSchema>;
