import { z } from 'zod';
import { defineOperations, outside, stream } from '../../../spine/operations/define.ts';
import { changeSchema, changesQuery, eventsQuery, projectPath } from '../schema.ts';

export const feedOperations = defineOperations({
  'context.events': {
    ...stream('agentic', 'packages:read'),
    summary: 'Follow a project live: deposits, reviews, facts, sessions.',
    description:
      'Resume with `Last-Event-ID` or `since`; at least once, in order. 410 if the cursor is too old.',
    input: {
      path: projectPath,
      query: eventsQuery,
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
    input: { path: projectPath, query: changesQuery },
    output: z.object({ changes: z.array(changeSchema), next: z.number().int() }),
    errors: ['project_not_found', 'cursor_expired'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/changes' },
  },
});
