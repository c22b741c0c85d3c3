import { z } from 'zod';
import { defineOperations, outside, read } from '../../../spine/operations/define.ts';
import { agentSchema, cardVersionSchema, discoverySchema } from './schema.ts';

const path = z.object({ id: z.string() });
const word = z.string().min(1).max(200).optional();

export const catalogueOperations = defineOperations({
  'relay.agents': {
    ...read('ours', 'relay:send'),
    summary: 'Find agents by what their cards say they can do.',
    input: {
      query: z.object({
        query: word.describe('Words that all occur in the name, the description or a skill.'),
        skill: word.describe('The id or name of a skill.'),
        tag: word.describe('The tag of a skill.'),
      }),
    },
    output: z.object({ items: z.array(agentSchema) }),
    errors: [],
    http: { method: 'GET', path: '/v1/relay/agents' },
    mcp: { tool: 'relay', action: 'agents' },
    cli: { command: 'relay agents', positionals: ['query'] },
  },
  'relay.agent.cards': {
    ...read('ours', 'relay:send'),
    summary: 'List the cards an agent has shown, with what changed from one to the next.',
    input: { path },
    output: z.object({ items: z.array(cardVersionSchema) }),
    errors: ['peer_not_found'],
    http: { method: 'GET', path: '/v1/relay/agents/{id}/cards' },
    mcp: { tool: 'relay', action: 'agent_cards' },
    cli: { command: 'relay cards', positionals: ['id'] },
  },
  'relay.discover': {
    ...outside('ours', 'relay:manage'),
    summary: 'Read the card of an agent that is not registered yet.',
    input: { query: z.object({ url: z.url({ protocol: /^https?$/ }).max(2048) }) },
    output: discoverySchema,
    errors: ['peer_address_refused', 'card_not_readable'],
    http: { method: 'GET', path: '/v1/relay/discover' },
    mcp: { tool: 'relay', action: 'discover' },
    cli: { command: 'relay discover', positionals: ['url'] },
  },
});
