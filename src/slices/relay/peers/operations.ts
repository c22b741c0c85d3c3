import { z } from 'zod';
import { defineOperations, outside, write } from '../../../spine/operations/define.ts';
import { newPeerSchema, peerSchema } from './schema.ts';

export const peerOperations = defineOperations({
  'relay.peers': {
    ...outside('ours', 'relay:send'),
    summary: 'List the registered peers, with what their cards say.',
    input: { query: z.object({ cards: z.boolean().optional() }) },
    output: z.object({ items: z.array(peerSchema) }),
    errors: [],
    http: { method: 'GET', path: '/v1/relay/peers' },
    mcp: { tool: 'relay', action: 'peers' },
    cli: { command: 'relay peers' },
  },
  'relay.peer.register': {
    ...outside('ours', 'relay:manage'),
    idempotency: 'repeatable',
    summary: 'Register a peer under a name, or change how it is reached.',
    input: { body: newPeerSchema },
    output: peerSchema,
    errors: [
      'peer_open_refused',
      'peer_address_refused',
      'peer_credential_unfit',
      'credential_key_unreadable',
    ],
    http: { method: 'POST', path: '/v1/relay/peers', status: 201 },
    mcp: { tool: 'relay', action: 'register_peer' },
    cli: { command: 'relay register', positionals: ['id', 'url'] },
  },
  'relay.peer.remove': {
    ...write('ours', 'relay:manage'),
    summary: 'Remove a peer; its tasks and spans stay.',
    input: { path: z.object({ id: z.string() }) },
    output: z.null(),
    errors: [],
    http: { method: 'DELETE', path: '/v1/relay/peers/{id}', status: 204 },
    mcp: { tool: 'relay', action: 'remove_peer' },
    cli: { command: 'relay remove', positionals: ['id'] },
  },
});
