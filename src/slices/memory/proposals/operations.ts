import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { at, badInput, byId, missing } from '../declare.ts';
import * as s from '../schema.ts';

export const proposalOperations = defineOperations({
  'memory.propose': {
    ...write('ours', 'memory:propose'),
    summary: 'Propose something you learned about the person, for them to approve.',
    input: { body: s.proposalInput },
    output: s.proposalMade,
    errors: [...badInput, 'A2P003', 'A2P005', 'proposal_declined_before'],
    http: at('POST', '/proposals', 201),
    mcp: { tool: 'memory', action: 'propose' },
    cli: { command: 'memory propose', positionals: ['content'] },
  },
  'memory.proposals.list': {
    ...read('ours', 'memory:propose'),
    summary: 'List proposals: all of them as the person, your own as an agent.',
    input: { query: s.proposalQuery },
    output: s.proposalList,
    errors: [...missing, 'A2P006'],
    http: at('GET', '/proposals'),
    cli: { command: 'memory proposals' },
  },
  'memory.proposals.get': {
    ...read('ours', 'memory:own'),
    summary: 'Show a proposal next to the memories it resembles or contradicts.',
    input: { path: s.idPath, query: s.inProfile },
    output: s.documentSchema,
    errors: [...byId],
    http: at('GET', '/proposals/{id}'),
    cli: { command: 'memory proposal', positionals: ['id'] },
  },
  'memory.proposals.review': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary: 'Approve, approve with changes, or reject a proposal.',
    input: { path: s.idPath, body: s.review },
    output: s.proposalMade,
    errors: [
      ...byId,
      'A2P006',
      'A2P023',
      'A2P025',
      'proposal_closed',
      'proposal_expired',
      'self_approval',
      'human_required',
      'presence_required',
    ],
    http: at('POST', '/proposals/{id}/review'),
    cli: [
      { command: 'memory approve', positionals: ['id'], fixed: { action: 'approve' } },
      { command: 'memory reject', positionals: ['id'], fixed: { action: 'reject' } },
    ],
  },
  'memory.proposals.withdraw': {
    ...write('ours', 'memory:propose'),
    summary: 'Withdraw a proposal of your own.',
    input: { path: s.idPath, query: s.inProfile },
    output: s.proposalMade,
    errors: [...byId, 'proposal_closed', 'proposal_expired'],
    http: at('POST', '/proposals/{id}/withdraw'),
    mcp: { tool: 'memory', action: 'withdraw' },
    cli: { command: 'memory withdraw', positionals: ['id'] },
  },
});
