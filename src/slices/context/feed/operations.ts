import { z } from 'zod';
import { defineOperations, outside, stream } from '../../../spine/operations/define.ts';

const projectPath = z.object({ project_id: z.string() });
const changeSchema = z.looseObject({
  seq: z.number().int().describe('Place in the project, the cursor to resume from.'),
  type: z.string(),
  project_id: z.string(),
  at: z.string(),
  actor: z.looseObject({ id: z.string() }).nullable(),
  ids: z.looseObject({}),
  content_hash: z.string().nullable(),
});
const cursor = z.object({
  types: z.array(z.string()).optional().describe('Only these types of event.'),
  since: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Go on after this number; from the oldest kept unless given.'),
  from: z.enum(['now']).optional().describe('Without `since`: only what happens from now on.'),
  include: z.enum(['body']).optional().describe('`body` puts the package or fact into each event.'),
});

export const feedOperations = defineOperations({
  'context.events': {
    ...stream('agentic', 'packages:read'),
    summary: 'Follow a project live: deposits, reviews, facts, sessions.',
    description:
      'Resume with `Last-Event-ID` or `since`; at least once, in order. 410 when the cursor is too old.',
    input: {
      path: projectPath,
      query: cursor,
      headers: z.object({ 'last-event-id': z.number().int().min(0).optional() }),
    },
    output: changeSchema,
    errors: ['project_not_found', 'cursor_expired'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/events' },
    cli: { command: 'watch', positionals: ['project_id'] },
  },
  'context.changes': {
    ...outside('agentic', 'packages:read'),
    summary: 'Read the changes of a project in pages, or wait for the next one.',
    input: {
      path: projectPath,
      query: cursor.extend({
        limit: z.number().int().min(1).max(1000).optional(),
        wait: z.number().min(0).max(55).optional().describe('Seconds to wait when there is nothing new.'),
      }),
    },
    output: z.object({ changes: z.array(changeSchema), next: z.number().int() }),
    errors: ['project_not_found', 'cursor_expired'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/changes' },
  },
});
