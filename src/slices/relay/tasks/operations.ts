import { z } from 'zod';
import { defineOperations, outside, read } from '../../../spine/operations/define.ts';
import { EXCHANGE_ERRORS } from '../exchanges/operations.ts';
import { exchangeSchema, taskSchema } from '../schema.ts';

const taskPath = z.object({ task_id: z.string() });

export const taskOperations = defineOperations({
  'relay.task.get': {
    ...outside('ours', 'relay:send'),
    summary: 'Ask the owner of a task how it stands.',
    input: { path: taskPath },
    output: exchangeSchema,
    errors: EXCHANGE_ERRORS,
    http: { method: 'GET', path: '/v1/relay/tasks/{task_id}' },
    mcp: { tool: 'relay', action: 'task' },
    cli: { command: 'relay tasks-get', positionals: ['task_id'] },
  },
  'relay.task.cancel': {
    ...outside('ours', 'relay:send'),
    summary: 'Ask the owner of a task to cancel it.',
    input: { path: taskPath },
    output: exchangeSchema,
    errors: EXCHANGE_ERRORS,
    http: { method: 'POST', path: '/v1/relay/tasks/{task_id}/cancel' },
    mcp: { tool: 'relay', action: 'cancel' },
    cli: { command: 'relay tasks-cancel', positionals: ['task_id'] },
  },
  'relay.tasks': {
    ...read('ours', 'relay:send'),
    summary: 'List the tasks that came by, with the state last seen.',
    input: {
      query: z.object({ limit: z.int().min(1).max(1000).optional(), peer_id: z.string().optional() }),
    },
    output: z.object({ items: z.array(taskSchema) }),
    errors: [],
    http: { method: 'GET', path: '/v1/relay/tasks' },
    mcp: { tool: 'relay', action: 'tasks' },
    cli: { command: 'relay tasks' },
  },
});
