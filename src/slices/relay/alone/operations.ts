/** The paths that a relay running alone has at its root; `baton up` serves the same below /a2a and /v1/relay. */
import { z } from 'zod';
import { defineOperations, outside, plain } from '../../../spine/operations/define.ts';
import { relayOperations } from '../operations.ts';

const { name: _p, ...peers } = relayOperations['relay.peers'];
const { name: _r, ...register } = relayOperations['relay.peer.register'];
const { name: _d, ...remove } = relayOperations['relay.peer.remove'];
const { name: _t, ...tasks } = relayOperations['relay.tasks'];

export const aloneOperations = defineOperations({
  'alone.message': {
    ...plain('ours'),
    summary: 'Send A2A (JSON-RPC) to the agent that the message names, or to the owner of its task.',
    input: {},
    errors: ['peer_not_found', 'message_too_large'],
    http: { method: 'POST', path: '/' },
  },
  'alone.health': {
    ...outside('ours', 'open'),
    summary: 'Report the health of the relay, its protocol version and its peers.',
    input: {},
    output: z.object({
      status: z.literal('ok'),
      protocol: z.string(),
      peers: z.array(z.string()),
      star_enforce: z.boolean(),
      roles: z.record(z.string(), z.string()),
    }),
    errors: [],
    http: { method: 'GET', path: '/healthz' },
  },
  'alone.peers': { ...peers, http: { method: 'GET', path: '/peers' } },
  'alone.peer.register': { ...register, http: { method: 'POST', path: '/peers', status: 201 } },
  'alone.peer.remove': { ...remove, http: { method: 'DELETE', path: '/peers/{id}', status: 204 } },
  'alone.tasks': { ...tasks, http: { method: 'GET', path: '/tasks' } },
});
