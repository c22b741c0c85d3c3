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
    summary: 'Speak A2A (JSON-RPC) to a peer through the relay.',
    description:
      'The credential is X-Baton-Key, or a path /a2a/~KEY/AGENT; Authorization belongs to the peer. Peers registered as open need none.',
    input: { path: z.object({ agent: z.string() }) },
    errors: ['peer_not_found'],
    http: { method: 'ANY', path: '/a2a/{agent}' },
  },
  'a2a.agent.rest': {
    ...plain('ours'),
    summary: 'Speak A2A (HTTP+JSON) to a peer, or read its card, through the relay.',
    input: { path: z.object({ agent: z.string(), rest: z.string() }) },
    errors: ['peer_not_found'],
    http: { method: 'ANY', path: '/a2a/{agent}/{rest*}' },
  },
  'relay.status': {
    ...read('ours', 'trace:read'),
    summary: 'Show how the relay and its export are doing.',
    input: {},
    output: statusSchema,
    errors: [],
    http: { method: 'GET', path: '/v1/relay/status' },
    cli: { command: 'relay status' },
  },
  'relay.gate': {
    ...outside('ours', 'trace:read'),
    summary: 'Record what the gate of a repository decided about a verb; a refusal is answered as one.',
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
