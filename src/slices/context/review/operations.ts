import { z } from 'zod';
import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { packageSchema, packageStatuses, reviewEntrySchema } from '../schema.ts';

const packagePath = z.object({ package_id: z.string() });
const inProject = z.object({ project: z.string().optional() });
const note = z.string().max(10_000).optional();
const MISSING = ['project_not_found', 'package_not_found', 'ambiguous_package_id', 'package_redacted'];
const REFUSED = [...MISSING, 'invalid_transition', 'stale_state', 'reviewer_type_mismatch', 'self_review'];
const queueQuery = z.object({
  status: z.enum(packageStatuses).optional().describe('awaiting_review unless given.'),
  review_type: z.enum(['human', 'agent']).optional(),
  limit: z.number().int().min(1).max(200).optional(),
  cursor: z.string().optional(),
});

export const reviewOperations = defineOperations({
  'review.flag': {
    ...write('agentic', 'packages:write'),
    summary: 'Ask for a review of a package that is not complete.',
    input: {
      path: packagePath,
      query: inProject,
      body: z.strictObject({ review_type: z.enum(['human', 'agent']), note }),
    },
    output: packageSchema,
    errors: REFUSED,
    http: { method: 'POST', path: '/v1/packages/{package_id}/flag' },
    mcp: { tool: 'review', action: 'flag' },
    cli: { command: 'review flag', positionals: ['package_id'] },
  },
  'review.decide': {
    ...write('agentic', 'packages:write'),
    summary: 'Approve a waiting package, ask for changes, or finish an own draft.',
    description:
      'The same decision as in the inbox. A human gate is opened by a person who is not the author.',
    input: {
      path: packagePath,
      query: inProject,
      body: z.strictObject({
        verdict: z.enum(['approve', 'request_changes', 'complete']),
        reviewer: z
          .looseObject({ id: z.string(), type: z.enum(['human', 'agent', 'script']) })
          .optional()
          .describe('The actor of the credential; anybody else is refused.'),
        note,
      }),
    },
    output: packageSchema,
    errors: [...REFUSED, 'actor_mismatch', 'self_approval', 'human_required', 'already_decided'],
    http: { method: 'POST', path: '/v1/packages/{package_id}/review' },
    mcp: { tool: 'review', action: 'decide' },
    cli: [
      { command: 'review approve', positionals: ['package_id'], fixed: { verdict: 'approve' } },
      {
        command: 'review request-changes',
        positionals: ['package_id'],
        fixed: { verdict: 'request_changes' },
      },
      { command: 'review complete', positionals: ['package_id'], fixed: { verdict: 'complete' } },
    ],
  },
  'review.log': {
    ...read('agentic', 'packages:read'),
    summary: 'Show the review log of a package; each entry names the one before it by hash.',
    input: { path: packagePath, query: inProject },
    output: z.object({ entries: z.array(reviewEntrySchema), intact: z.boolean() }),
    errors: MISSING,
    http: { method: 'GET', path: '/v1/packages/{package_id}/reviews' },
    mcp: { tool: 'review', action: 'log' },
    cli: { command: 'review log', positionals: ['package_id'] },
  },
  'review.queue': {
    ...read('agentic', 'packages:read'),
    summary: 'List the packages of a project that wait for review, newest first.',
    input: { path: z.object({ project_id: z.string() }), query: queueQuery },
    output: z.array(packageSchema),
    errors: ['project_not_found', 'invalid_cursor'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/reviews' },
  },
  'review.waiting': {
    ...read('agentic', 'packages:read'),
    summary: 'List what waits for review in your project.',
    input: { query: queueQuery.extend({ project: z.string().optional() }) },
    output: z.array(packageSchema),
    errors: ['project_not_found', 'invalid_cursor'],
    http: { method: 'GET', path: '/v1/reviews' },
    mcp: { tool: 'review', action: 'queue' },
    cli: { command: 'review queue' },
  },
});
