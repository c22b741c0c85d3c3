import { z } from 'zod';
import { defineOperations, outside, read } from '../../../spine/operations/define.ts';
import {
  actorTypes,
  anchorsSchema,
  factSchema,
  momentSchema,
  packageSchema,
  significanceSchema,
} from '../schema.ts';

const LONGEST_WINDOW = 3650;
const windowDays = z.number().int().min(1).max(LONGEST_WINDOW).optional().describe('14 unless given.');
const maxTokens = z
  .number()
  .int()
  .min(250)
  .max(250_000)
  .optional()
  .describe('What the answer may cost in a prompt, at four bytes a token.');
const orientQuery = z.object({
  window_days: windowDays,
  limit: z.number().int().min(1).max(200).optional().describe('Packages at most; 20 unless given.'),
  min_significance: significanceSchema,
  max_tokens: maxTokens,
});

const orientationSchema = z.looseObject({
  project: z.looseObject({ project_id: z.string() }),
  recent_packages: z.array(packageSchema),
  active_facts: z.array(factSchema),
  open_questions: z.array(z.string()),
  window_days: z.number(),
  generated_at: z.string(),
});

const digestSchema = z.looseObject({
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

const anchoredSchema = anchorsSchema.element.extend({
  kind: z.enum(['package', 'fact']),
  id: z.string(),
  about: z.string().describe('The title of the package; subject and predicate of the fact.'),
  by: z.object({ id: z.string(), type: z.enum(actorTypes) }).nullable(),
  at: z.string(),
});

export const orientOperations = defineOperations({
  'context.orient': {
    ...outside('agentic', 'packages:read'),
    summary: 'Answer what one needs to know to go on with a project.',
    input: {
      path: z.object({ project_id: z.string() }),
      query: orientQuery.extend({
        format: z.enum(['json', 'text']).optional().describe('`text` is Markdown for a prompt.'),
      }),
    },
    output: orientationSchema,
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/orient' },
  },
  'context.brief': {
    ...outside('agentic', 'packages:read'),
    idempotency: 'refused',
    summary: 'Orient yourself: handoffs, open questions, facts and recent work, as text. Do this first.',
    description:
      'Answers Markdown. An agent without an active session in the project gets one, and its callsign.',
    input: {
      body: orientQuery
        .extend({
          project: z.string().optional().describe('The default project of the credential unless given.'),
        })
        .optional(),
    },
    output: z.string(),
    errors: ['project_not_found'],
    http: { method: 'POST', path: '/v1/briefing' },
    mcp: { tool: 'context', action: 'orient' },
  },
  'context.anchors': {
    ...read('agentic', 'packages:read'),
    summary: 'List the files that the orientation relies on, each with the git blob that it was then.',
    description: 'Where the file has another blob id now, what is said about it may no longer hold.',
    input: {
      path: z.object({ project_id: z.string() }),
      query: orientQuery.omit({ max_tokens: true }),
    },
    output: z.object({ anchors: z.array(anchoredSchema) }),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/anchors' },
    mcp: { tool: 'context', action: 'anchors' },
    cli: { command: 'anchors list', positionals: ['project_id'] },
  },
  'context.orchestrate': {
    ...outside('agentic', 'packages:read'),
    summary: 'Digest the activity of one project, or of all that you can see.',
    input: {
      query: z.object({
        project: z.string().optional().describe('All that you can see unless given.'),
        project_id: z.string().optional().describe('The same as `project`.'),
        focus: z.string().max(2000).optional().describe('What the snippets should be near to.'),
        snippets: z.number().int().min(0).max(200).optional().describe('25 unless given.'),
        window_days: windowDays,
        min_significance: significanceSchema,
        max_tokens: maxTokens,
      }),
    },
    output: digestSchema,
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/orchestrate' },
    mcp: { tool: 'context', action: 'orchestrate' },
    cli: { command: 'orchestrate' },
  },
  'context.search': {
    ...outside('ours', 'search:read'),
    summary: 'Search packages and facts by words and meaning, best first.',
    input: {
      query: z.object({
        query: z.string().min(1).max(2000),
        project: z.string().optional().describe('All that you can see unless given.'),
        collections: z.array(z.enum(['package', 'fact'])).optional(),
        limit: z.number().int().min(1).max(200).optional(),
        as_of: momentSchema.optional().describe('Only what was there then.'),
      }),
    },
    output: z.object({
      hits: z.array(
        z.object({
          collection: z.string(),
          project_id: z.string(),
          id: z.string(),
          score: z.number(),
          field: z.string(),
          text: z.string(),
          title: z.string().optional(),
        }),
      ),
    }),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/search' },
    mcp: { tool: 'search', action: 'search' },
    cli: { command: 'search', positionals: ['query'] },
  },
});
