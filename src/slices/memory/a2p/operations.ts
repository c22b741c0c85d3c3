import { z } from 'zod';
import { defineOperations, outside, read, write } from '../../../spine/operations/define.ts';
import * as s from '../schema.ts';

const a2p = (method: 'GET' | 'POST', path: string, status = 200) =>
  ({ method, path: `/a2p/v1${path}`, status }) as const;
const a2pErrors = [
  'A2P001',
  'A2P002',
  'A2P003',
  'A2P004',
  'A2P005',
  'A2P006',
  'A2P007',
  'A2P008',
  'A2P009',
  'A2P010',
] as const;
const answer = z.unknown();

/** The same profiles on the wire of a2p 0.1, for agents that sign with their DID's key. */
export const a2pOperations = defineOperations({
  'a2p.profile.get': {
    ...outside('a2p', 'memory:read'),
    summary: 'Get the part of a profile that the person shares with you.',
    input: { path: s.didPath, query: s.a2pProfileQuery },
    output: answer,
    errors: a2pErrors,
    http: a2p('GET', '/profile/{did}'),
  },
  'a2p.access.request': {
    ...write('a2p', 'memory:read'),
    summary: 'Request access to scopes for a purpose; the response is a receipt.',
    input: { path: s.didPath, body: s.a2pAccessRequest },
    output: answer,
    errors: a2pErrors,
    http: a2p('POST', '/profile/{did}/access'),
  },
  'a2p.memories.list': {
    ...outside('a2p', 'memory:read'),
    summary: 'List the memories that the person shares with you.',
    input: { path: s.didPath, query: s.a2pMemoriesQuery },
    output: answer,
    errors: a2pErrors,
    http: a2p('GET', '/profile/{did}/memories'),
  },
  'a2p.propose': {
    ...write('a2p', 'memory:propose'),
    summary: 'Propose a memory for its person to approve.',
    input: { path: s.didPath, body: s.documentSchema },
    bodyName: 'proposal',
    output: answer,
    errors: [...a2pErrors, 'A2P023', 'A2P024', 'proposal_declined_before'],
    http: a2p('POST', '/profile/{did}/memories/propose', 201),
  },
  'a2p.proposals.list': {
    ...read('a2p', 'memory:propose'),
    summary: 'List proposals: all as the owner, your own as an agent.',
    input: { path: s.didPath, query: s.a2pProposalsQuery },
    output: answer,
    errors: a2pErrors,
    http: a2p('GET', '/profile/{did}/proposals'),
  },
  'a2p.proposals.review': {
    ...write('a2p', 'memory:propose'),
    decides: true,
    summary: 'Approve or reject a proposal, as the owner of the profile.',
    input: { path: s.didAndIdPath, body: s.a2pReview },
    output: answer,
    errors: [...a2pErrors, 'proposal_closed', 'proposal_expired'],
    http: a2p('POST', '/profile/{did}/proposals/{id}/review'),
  },
  'a2p.proposals.withdraw': {
    ...write('a2p', 'memory:propose'),
    summary: 'Withdraw a proposal that you made.',
    input: { path: s.didAndIdPath },
    output: answer,
    errors: [...a2pErrors, 'proposal_closed', 'proposal_expired'],
    http: a2p('POST', '/profile/{did}/proposals/{id}/withdraw'),
  },
  'a2p.agent.get': {
    ...read('a2p', 'memory:read'),
    summary: 'Get the profile of a registered agent.',
    input: { path: s.didPath },
    output: answer,
    errors: a2pErrors,
    http: a2p('GET', '/agents/{did}'),
  },
  'a2p.did.get': {
    ...read('a2p', 'memory:read'),
    summary: 'Get the DID document of a registered agent.',
    input: { path: s.didPath },
    output: answer,
    errors: a2pErrors,
    http: a2p('GET', '/did/{did}'),
  },
  'a2p.discover': {
    ...read('ours', 'open'),
    summary: 'Tell where this server speaks a2p, and which version.',
    input: {},
    output: s.documentSchema,
    errors: [],
    http: { method: 'GET', path: '/.well-known/a2p-profile.json' },
  },
});
