import { z } from 'zod';
import { defineOperations, outside, read } from '../../../spine/operations/define.ts';
import { didAndIdPath, didPath, documentSchema } from '../schema.ts';
import {
  accessRequest,
  idempotencyHeaders,
  memoriesQuery,
  profileQuery,
  proposalsQuery,
  reviewInput,
} from './schema.ts';

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

/** The same profiles on the wire of a2p 0.1, for agents that sign with the key of their DID. */
export const a2pOperations = defineOperations({
  'a2p.profile.get': {
    ...outside('a2p', 'memory:read'),
    summary: 'Get what of a profile the person shares with you.',
    input: { path: didPath, query: profileQuery },
    output: answer,
    errors: [...a2pErrors],
    http: a2p('GET', '/profile/{did}'),
  },
  'a2p.access.request': {
    ...outside('a2p', 'memory:read'),
    summary: 'Ask for access to scopes, for a purpose; the answer is a receipt.',
    input: { path: didPath, headers: idempotencyHeaders, body: accessRequest },
    output: answer,
    errors: [...a2pErrors, 'idempotency_conflict'],
    http: a2p('POST', '/profile/{did}/access'),
  },
  'a2p.memories.list': {
    ...outside('a2p', 'memory:read'),
    summary: 'List the memories that the person shares with you.',
    input: { path: didPath, query: memoriesQuery },
    output: answer,
    errors: [...a2pErrors],
    http: a2p('GET', '/profile/{did}/memories'),
  },
  'a2p.propose': {
    ...outside('a2p', 'memory:propose'),
    summary: 'Propose a memory to its person.',
    input: { path: didPath, headers: idempotencyHeaders, body: documentSchema },
    bodyName: 'proposal',
    output: answer,
    errors: [...a2pErrors, 'idempotency_conflict', 'A2P023', 'A2P024', 'proposal_declined_before'],
    http: a2p('POST', '/profile/{did}/memories/propose', 201),
  },
  'a2p.proposals.list': {
    ...outside('a2p', 'memory:propose'),
    summary: 'List proposals: all as the owner, your own as an agent.',
    input: { path: didPath, query: proposalsQuery },
    output: answer,
    errors: [...a2pErrors],
    http: a2p('GET', '/profile/{did}/proposals'),
  },
  'a2p.proposals.review': {
    ...outside('a2p', 'memory:propose'),
    summary: 'Approve or reject a proposal, as the owner of the profile.',
    input: { path: didAndIdPath, headers: idempotencyHeaders, body: reviewInput },
    output: answer,
    errors: [...a2pErrors, 'idempotency_conflict', 'proposal_closed', 'proposal_expired'],
    http: a2p('POST', '/profile/{did}/proposals/{id}/review'),
  },
  'a2p.proposals.withdraw': {
    ...outside('a2p', 'memory:propose'),
    summary: 'Withdraw a proposal that you made.',
    input: { path: didAndIdPath, headers: idempotencyHeaders },
    output: answer,
    errors: [...a2pErrors, 'idempotency_conflict', 'proposal_closed', 'proposal_expired'],
    http: a2p('POST', '/profile/{did}/proposals/{id}/withdraw'),
  },
  'a2p.agent.get': {
    ...outside('a2p', 'memory:read'),
    summary: 'Get the profile of a registered agent.',
    input: { path: didPath },
    output: answer,
    errors: [...a2pErrors],
    http: a2p('GET', '/agents/{did}'),
  },
  'a2p.did.get': {
    ...outside('a2p', 'memory:read'),
    summary: 'Get the DID document of a registered agent.',
    input: { path: didPath },
    output: answer,
    errors: [...a2pErrors],
    http: a2p('GET', '/did/{did}'),
  },
  'a2p.discover': {
    ...read('ours', 'open'),
    summary: 'Say where and in which version a2p is spoken here.',
    input: {},
    output: documentSchema,
    errors: [],
    http: { method: 'GET', path: '/.well-known/a2p-profile.json' },
  },
});
