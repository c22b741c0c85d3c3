import { z } from 'zod';
import { defineOperations, read } from '../../../spine/operations/define.ts';
import { activityQuery, activitySchema, decisionSchema, decisionsQuery, statusSchema } from './schema.ts';

const projectPath = z.object({ project_id: z.string() });
const errors = ['project_not_found'];

export const liveOperations = defineOperations({
  'agents.status': {
    ...read('ours', 'sessions:read'),
    summary: 'Show which agents are live on which files, what waits, and what was denied today.',
    input: { path: projectPath },
    output: statusSchema,
    errors,
    http: { method: 'GET', path: '/v1/projects/{project_id}/live' },
  },
  'agents.activity': {
    ...read('ours', 'journal:read'),
    summary:
      'Count what happened over time, by session or by actor: events, and calls allowed, asked and denied.',
    input: { path: projectPath, query: activityQuery },
    output: activitySchema,
    errors,
    http: { method: 'GET', path: '/v1/projects/{project_id}/activity' },
  },
  'agents.decisions': {
    ...read('ours', 'trace:read'),
    summary: 'List the tool calls that a rule denied or wanted asked, or would have.',
    input: { path: projectPath, query: decisionsQuery },
    output: z.object({ decisions: z.array(decisionSchema) }),
    errors,
    http: { method: 'GET', path: '/v1/projects/{project_id}/decisions' },
  },
});
