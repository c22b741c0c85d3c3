import { z } from 'zod';
import { defineOperations, read, write } from '../operations/define.ts';
import {
  decisionSchema,
  itemCountsQuery,
  itemCountsSchema,
  itemListQuery,
  itemListSchema,
  itemSchema,
} from './schema.ts';

const itemPath = z.object({ id: z.string() });

export const inboxOperations = defineOperations({
  'inbox.list': {
    ...read('ours', 'inbox:read'),
    summary: 'List the decisions that wait for a person.',
    description: '`total` counts all pages; `next` is the cursor of the next one.',
    input: { query: itemListQuery },
    output: itemListSchema,
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/inbox' },
    mcp: { tool: 'inbox', action: 'list' },
    cli: [{ command: 'inbox' }, { command: 'inbox list' }],
  },
  'inbox.counts': {
    ...read('ours', 'inbox:read'),
    summary: 'Count the open items: all of them, those that you can decide, and by risk and kind.',
    input: { query: itemCountsQuery },
    output: itemCountsSchema,
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/inbox/counts' },
    cli: { command: 'inbox counts' },
  },
  'inbox.get': {
    ...read('ours', 'inbox:read'),
    summary: 'Show one item: what is asked, by whom, and the outcome.',
    input: { path: itemPath },
    output: itemSchema,
    errors: ['item_not_found'],
    http: { method: 'GET', path: '/v1/inbox/{id}' },
    mcp: { tool: 'inbox', action: 'get' },
    cli: { command: 'inbox show', positionals: ['id'] },
  },
  'inbox.decide': {
    ...write('ours', 'inbox:decide'),
    decides: true,
    summary: 'Approve or reject an item, bound to the digest of what you saw.',
    description:
      'The approver is the actor of the credential, and never one that asked. Where the item has choices, `choice` says how much is approved. Repeating a decision returns the first outcome.',
    input: { path: itemPath, body: decisionSchema },
    output: itemSchema,
    errors: [
      'item_not_found',
      'stale_digest',
      'already_decided',
      'item_superseded',
      'item_expired',
      'human_required',
      'approver_required',
      'self_approval',
      'unknown_choice',
      'presence_required',
      'edits_not_allowed',
      'edits_missing',
    ],
    http: { method: 'POST', path: '/v1/inbox/{id}' },
  },
});
