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

export const forwardQuery = z.object({
  ...whyQuery.shape,
  depth: z.number().int().min(1).max(64).optional().describe('How far to go; to the end unless given.'),
  limit: z
    .number()
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('How many to list; 200 unless given. All are counted.'),
});

export const forwardSchema = z.object({
  project_id: z.string(),
  kind: z.string(),
  id: z.string(),
  total: z.int().describe('How many things relied on it, directly or through others.'),
  complete: z.boolean().describe('False where there are more than were followed.'),
  by_kind: z.record(z.string(), z.int()),
  things: z
    .array(
      z.object({
        kind: z.string(),
        id: z.string(),
        distance: z.int().describe('How many steps away; 1 relied on the subject itself.'),
        from: z.object({ kind: z.string(), id: z.string() }).describe('What it relied on.'),
        as: z.string().describe('As what.'),
        at: z.string().nullable(),
        by: z.string().nullable().describe('The actor.'),
        words: z.string().nullable(),
      }),
    )
    .describe('The nearest first.'),
});

export type ForwardAnswer = z.output<typeof forwardSchema>;

export type Explanation = z.output<typeof explanationSchema>;
