import { z } from 'zod';
import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { ownProject } from '../../../spine/operations/own-project.ts';
import {
  flagSchema,
  inProject,
  packagePath,
  packageSchema,
  projectPath,
  reviewDecisionSchema,
  reviewEntrySchema,
  reviewQueueQuery,
} from '../schema.ts';

const MISSING = ['project_not_found', 'package_not_found', 'ambiguous_package_id', 'package_redacted'];
const REFUSED = [...MISSING, 'invalid_transition', 'stale_state', 'reviewer_type_mismatch', 'self_review'];
const positionals = ['package_id'];

export const reviewOperations = defineOperations({
  'review.flag': {
    ...write('agentic', 'packages:write'),
    summary: 'Ask for a review of a package that is not complete.',
    input: { path: packagePath, query: inProject, body: flagSchema },
    output: packageSchema,
    errors: REFUSED,
    http: { method: 'POST', path: '/v1/packages/{package_id}/flag' },
    mcp: { tool: 'review', action: 'flag' },
    cli: { command: 'review flag', positionals },
  },
  'review.decide': {
    ...write('agentic', 'packages:write'),
    decides: { input: 'verdict', values: ['approve', 'request_changes'] },
    summary: 'Approve a waiting package, request changes, or complete a draft of your own.',
    description: 'The same decision as in the inbox. Only a person who is not the author opens a human gate.',
    input: { path: packagePath, query: inProject, body: reviewDecisionSchema },
    output: packageSchema,
    errors: [...REFUSED, 'actor_mismatch', 'self_approval', 'human_required', 'already_decided'],
    http: { method: 'POST', path: '/v1/packages/{package_id}/review' },
    mcp: { tool: 'review', action: 'decide' },
    cli: [
      { command: 'review approve', positionals, fixed: { verdict: 'approve' } },
      { command: 'review request-changes', positionals, fixed: { verdict: 'request_changes' } },
      { command: 'review complete', positionals, fixed: { verdict: 'complete' } },
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
    cli: { command: 'review log', positionals },
  },
  'review.queue': {
    ...read('agentic', 'packages:read'),
    summary: 'List the packages of a project that wait for review, newest first.',
    input: { path: projectPath, query: reviewQueueQuery },
    output: z.array(packageSchema),
    errors: ['project_not_found', 'invalid_cursor'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/reviews' },
  },
  'review.waiting': {
    ...read('agentic', 'packages:read'),
    summary: 'List what waits for review in your project.',
    input: { query: reviewQueueQuery.extend({ project: ownProject }) },
    output: z.array(packageSchema),
    errors: ['project_not_found', 'invalid_cursor'],
    http: { method: 'GET', path: '/v1/reviews' },
    mcp: { tool: 'review', action: 'queue' },
    cli: { command: 'review queue' },
  },
});
