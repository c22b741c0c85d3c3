import { z } from 'zod';
import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { actionIdSchema } from '../schema.ts';
import { approvalFilterSchema, approvalSchema, decisionSchema } from './schema.ts';

const path = z.object({ approval_id: z.string() });

export const approvalOperations = defineOperations({
  'approvals.list': {
    ...read('cra', 'inbox:read'),
    summary: 'List the approvals that agents are waiting for.',
    description: '`status=offered` lists what a resolution names and nobody has been asked for yet.',
    input: { query: approvalFilterSchema },
    output: z.object({ items: z.array(approvalSchema), total: z.int() }),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/approvals' },
    cli: { command: 'approvals list' },
  },
  'approvals.get': {
    ...read('cra', 'inbox:read'),
    summary: 'Show one approval.',
    input: { path },
    output: approvalSchema,
    errors: ['approval_not_found'],
    http: { method: 'GET', path: '/v1/approvals/{approval_id}' },
    cli: { command: 'approvals show', positionals: ['approval_id'] },
  },
  'approvals.ask': {
    ...write('cra', 'carp:execute'),
    summary: 'Ask a person for an approval that a resolution names.',
    description:
      'Executing an action without its approval asks by itself, with the parameters; this asks in advance. Asking again changes nothing.',
    input: {
      path,
      body: z.strictObject({
        action_id: actionIdSchema.optional().describe('Ask for this action only.'),
      }),
    },
    output: approvalSchema,
    errors: ['approval_not_found', 'action_not_found', 'item_expired', 'session_not_owned'],
    http: { method: 'POST', path: '/v1/approvals/{approval_id}/ask' },
    mcp: { tool: 'governance', action: 'ask_approval' },
    cli: { command: 'approvals ask', positionals: ['approval_id'] },
  },
  'approvals.decide': {
    ...write('cra', 'approvals:decide'),
    decides: true,
    summary: 'Approve or reject what an agent asks to do.',
    input: { path, body: decisionSchema },
    output: approvalSchema,
    errors: [
      'approval_not_found',
      'approver_mismatch',
      'self_approval',
      'already_decided',
      'presence_required',
    ],
    http: { method: 'POST', path: '/v1/approvals/{approval_id}' },
    cli: [
      { command: 'approvals approve', positionals: ['approval_id'], fixed: { decision: 'approve' } },
      { command: 'approvals reject', positionals: ['approval_id'], fixed: { decision: 'reject' } },
    ],
  },
});
