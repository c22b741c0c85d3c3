import { z } from 'zod';
import { defineOperations, outside, plain, read, stream } from '../../../spine/operations/define.ts';
import { exchangeSchema, gateSchema, sendSchema, statusSchema } from '../schema.ts';

/** What any exchange with a peer may answer. */
export const EXCHANGE_ERRORS = [
  'exchange_failed',
  'exchange_refused',
  'task_not_known',
  'verb_denied',
  'peer_not_found',
  'invalid_session_reference',
];

export const exchangeOperations = defineOperations({
  'a2a.agent': {
    ...plain('ours'),
    summary: 'Send A2A (JSON-RPC) to a peer through the relay.',
    description:
      'Send your key as X-Baton-Key or in the path (/a2a/~KEY/AGENT); Authorization goes to the peer. Peers registered as open need no key.',
    input: { path: z.object({ agent: z.string() }) },
    errors: ['peer_not_found'],
    http: { method: 'ANY', path: '/a2a/{agent}' },
  },
  'a2a.agent.rest': {
    ...plain('ours'),
    summary: 'Send A2A (HTTP+JSON) to a peer, or read its card, through the relay.',
    input: { path: z.object({ agent: z.string(), rest: z.string() }) },
    errors: ['peer_not_found'],
    http: { method: 'ANY', path: '/a2a/{agent}/{rest*}' },
  },
  'a2a.card': {
    ...plain('ours'),
    summary:
      'Read the card of the only peer, of the default one, or of the one that the host is named after.',
    input: {},
    errors: ['peer_not_found'],
    http: { method: 'GET', path: '/.well-known/agent-card.json' },
  },
  'a2a.card.legacy': {
    ...plain('ours'),
    summary: 'Read the same card where A2A 0.2 has it, in the shape of 0.3.',
    input: {},
    errors: ['peer_not_found'],
    http: { method: 'GET', path: '/.well-known/agent.json' },
  },
  'relay.status': {
    ...read('ours', 'trace:read'),
    summary: 'Show the state of the relay and of its export.',
    input: {},
    output: statusSchema,
    errors: [],
    http: { method: 'GET', path: '/v1/relay/status' },
    cli: { command: 'relay status' },
  },
  'relay.gate': {
    ...outside('ours', 'trace:read'),
    summary: 'Record what the gate of a repository decided about a verb; a denial is answered as an error.',
    input: { body: gateSchema },
    output: z.null(),
    errors: ['verb_denied'],
    http: { method: 'POST', path: '/v1/relay/gate', status: 204 },
  },
  'relay.send': {
    ...outside('ours', 'relay:send'),
    summary: 'Send a message to an agent through the relay and wait for its answer.',
    input: { body: sendSchema },
    output: exchangeSchema,
    errors: EXCHANGE_ERRORS,
    http: { method: 'POST', path: '/v1/relay/send' },
    mcp: { tool: 'relay', action: 'send' },
    cli: { command: 'relay send', positionals: ['to', 'text'] },
  },
  'relay.stream': {
    ...stream('ours', 'relay:send'),
    summary: 'Send a message to an agent through the relay and follow its answer.',
    input: { query: sendSchema },
    output: z.looseObject({}),
    errors: EXCHANGE_ERRORS,
    http: { method: 'GET', path: '/v1/relay/stream' },
    cli: { command: 'relay stream', positionals: ['to', 'text'] },
  },
});
