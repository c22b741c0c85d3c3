import { z } from 'zod';
import {
  actorSchema,
  anchorsSchema,
  factSchema,
  instantSchema,
  limitSchema,
  momentSchema,
  totalSchema,
} from '../schema.ts';

/** A fact without the fields that the server sets, and how to assert it. */
/** A longer text is a package; the fact then names it. */
const LONGEST_VALUE = 262_144;

export const factAssertionSchema = z.looseObject({
  subject: z.string().min(1).describe('What the fact is about.'),
  predicate: z.string().min(1).describe('Which property.'),
  value: z.string().max(LONGEST_VALUE).describe('Its value, as text.'),
  fact_id: z.string().min(1).max(500).nullish().describe('Give it to retry safely.'),
  source_package_id: z.string().nullish().describe('The package that says so.'),
  confidence: z.number().min(0).max(1).nullish(),
  asserted_by: actorSchema.nullish(),
  tags: z.array(z.string()).nullish(),
  valid_from: instantSchema
    .nullish()
    .describe('When it became true, or will: then it becomes current by the clock. Defaults to now.'),
  valid_to: instantSchema
    .nullish()
    .describe('Until when it held: corrects what was believed of that time and leaves what follows.'),
  expected_value: z
    .string()
    .nullish()
    .describe('Assert only if this is the current value; null means that there is none.'),
  expected_fact_id: z.string().nullish().describe('Assert only if this fact is current.'),
  if_changed: z.boolean().optional().describe('Change nothing if the value and its anchors are the same.'),
  'x-anchors': anchorsSchema
    .nullish()
    .describe('Files that it is about, each with its path and git blob id.'),
});
export type FactAssertion = z.output<typeof factAssertionSchema>;

export const factListQuery = z.object({
  fact_id: z.string().optional(),
  subject: z.string().optional(),
  predicate: z.string().optional(),
  value: z.string().optional(),
  as_of: momentSchema.optional().describe('What was true then; a date means its first instant.'),
  known_at: momentSchema
    .optional()
    .describe(
      'As it was believed at that instant, before later corrections; a date means its first instant.',
    ),
  history: z.boolean().optional().describe('Include what is no longer true.'),
  limit: limitSchema,
  cursor: z.string().optional().describe('Of the page before: `next`, or over HTTP in its `Link` header.'),
});
export type FactListQuery = z.output<typeof factListQuery>;

export const factLatestQuery = z.object({
  words: z
    .string()
    .max(200)
    .optional()
    .describe('Only what has each of these words in subject, predicate or value.'),
  as_of: momentSchema.optional().describe('What was true at that instant; a date means its first instant.'),
  limit: limitSchema,
  cursor: z.string().optional().describe('`next` of the page before.'),
});

export const factLatestSchema = z.object({
  items: z.array(
    z.object({
      fact: factSchema,
      earlier: z.int().describe('How many values of the same subject and predicate came before it.'),
    }),
  ),
  total: totalSchema,
  next: z.string().nullable().describe('The cursor of the next page; null after the last.'),
});

export const retraction = z.object({
  subject: z.string().min(1),
  predicate: z.string().min(1),
  object: z.string().optional().describe('Only if this is its value.'),
  value: z.string().optional().describe('The same as `object`.'),
});
