import { z } from 'zod';
import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { actionIdSchema } from '../schema.ts';
import {
  approvalFilterSchema,
  approvalSchema,
  decisionSchema,
  grantFilterSchema,
  grantSchema,
} from './schema.ts';

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
      'Executing an action without its approval asks by itself, with the parameters; this asks in advance, for one call whatever its parameters. Asking again changes nothing.',
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
    description:
      'An approval satisfies one policy and, unless `covers` says more, one call with exactly the parameters shown.',
    input: { path, body: decisionSchema },
    output: approvalSchema,
    errors: [
      'approval_not_found',
      'approver_mismatch',
      'approval_outdated',
      'approver_required',
      'self_approval',
      'already_decided',
      'presence_required',
      'unknown_choice',
    ],
    http: { method: 'POST', path: '/v1/approvals/{approval_id}' },
    cli: [
      { command: 'approvals approve', positionals: ['approval_id'], fixed: { decision: 'approve' } },
      { command: 'approvals reject', positionals: ['approval_id'], fixed: { decision: 'reject' } },
    ],
  },
  'approvals.grants': {
    ...read('cra', 'inbox:read'),
    summary: 'List what people have granted and can still be used; `covers=rule` lists the standing rules.',
    input: { query: grantFilterSchema },
    output: z.object({ items: z.array(grantSchema), total: z.int() }),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/grants' },
    cli: { command: 'approvals grants' },
  },
  'approvals.revoke': {
    ...write('cra', 'approvals:decide'),
    decides: true,
    summary: 'Revoke what an approval grants: a rule, or what is left of a session or a call.',
    input: { path, body: z.strictObject({}).optional() },
    output: grantSchema,
    errors: ['approval_not_found', 'grant_not_found', 'human_required'],
    http: { method: 'POST', path: '/v1/approvals/{approval_id}/revoke' },
    cli: { command: 'approvals revoke', positionals: ['approval_id'] },
  },
});
