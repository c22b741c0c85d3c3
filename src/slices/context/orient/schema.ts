import { z } from 'zod';
import { foundBySchema, packedSchema, packOrder, packTokens } from '../../../spine/operations/packed.ts';
import {
  actorTypes,
  anchorsSchema,
  factSchema,
  momentSchema,
  packageSchema,
  significanceSchema,
  totalSchema,
} from '../schema.ts';

const windowDays = z.number().int().min(1).max(3650).optional().describe('Defaults to 14.');
const maxTokens = z
  .number()
  .int()
  .min(250)
  .max(250_000)
  .optional()
  .describe('The most that the response may cost in a prompt, at four bytes a token.');
export const orientQuery = z.object({
  window_days: windowDays,
  limit: z.number().int().min(1).max(200).optional().describe('Packages at most. Defaults to 20.'),
  min_significance: significanceSchema,
  max_tokens: maxTokens,
});
export type OrientQuery = z.output<typeof orientQuery>;

export const orientationSchema = z.looseObject({
  project: z.looseObject({ project_id: z.string() }),
  recent_packages: z.array(packageSchema),
  active_facts: z.array(factSchema),
  open_questions: z.array(z.string()),
  window_days: z.number(),
  generated_at: z.string(),
});

export const digestSchema = z.looseObject({
  scope: z.enum(['project', 'global']),
  project_id: z.string().nullable(),
  focus: z.string().nullable(),
  window: z.object({ days: z.number(), from: z.string(), to: z.string() }),
  summary: z.looseObject({}),
  active_facts: z.array(factSchema),
  open_questions: z.array(z.string()),
  snippets: z.array(
    z.object({
      package_id: z.string(),
      project_id: z.string(),
      field: z.string(),
      text: z.string(),
      score: z.number(),
    }),
  ),
  project_counts: z.array(z.looseObject({ project_id: z.string() })),
  generated_at: z.string(),
});
export type Snippet = z.output<typeof digestSchema>['snippets'][number];

const anchoredSchema = anchorsSchema.element.extend({
  kind: z.enum(['package', 'fact']),
  id: z.string(),
  about: z.string().describe('The title of the package; subject and predicate of the fact.'),
  by: z.object({ id: z.string(), type: z.enum(actorTypes) }).nullable(),
  at: z.string(),
});

export const anchorListSchema = z.object({ anchors: z.array(anchoredSchema) });

export const countsSchema = z.object({
  packages: totalSchema.describe('Those that you can see.'),
  facts: totalSchema.describe('What is true now.'),
  fact_keys: totalSchema.describe('Subjects and predicates of which something is or was true.'),
  sessions: totalSchema,
});

const allVisible = z.string().optional().describe('Defaults to every project you can see.');

export const digestQuery = z.object({
  project: allVisible,
  project_id: z.string().optional().describe('The same as `project`.'),
  focus: z.string().max(2000).optional().describe('What the snippets should be about.'),
  snippets: z.number().int().min(0).max(200).optional().describe('Defaults to 25.'),
  window_days: windowDays,
  min_significance: significanceSchema,
  max_tokens: maxTokens,
});
export type DigestQuery = z.output<typeof digestQuery>;

export const searchQuery = z.object({
  query: z.string().min(1).max(2000),
  project: allVisible,
  collections: z
    .array(z.enum(['package', 'fact', 'span']))
    .optional()
    .describe('All that the credential may read, if absent; spans need `trace:read`.'),
  limit: z.number().int().min(1).max(200).optional(),
  max_tokens: packTokens,
  order: packOrder,
  as_of: momentSchema.optional().describe('Only what was there then.'),
});
export type SearchQuery = z.output<typeof searchQuery>;

export const searchHitsSchema = z.object({
  hits: z.array(
    z.object({
      collection: z.string(),
      project_id: z.string(),
      id: z.string(),
      score: z.number(),
      field: z.string(),
      text: z.string(),
      title: z.string().optional(),
      found_by: foundBySchema,
    }),
  ),
  packed: packedSchema.optional(),
});
