import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { at } from '../declare.ts';
import * as s from '../schema.ts';

export const registryOperations = defineOperations({
  'memory.agent.put': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary: 'Register an agent: its key, its operator and what you vouch for.',
    input: { body: s.agentInput },
    output: s.idAnswer,
    errors: ['A2P002', 'A2P006', 'A2P010'],
    http: at('PUT', '/agents'),
    cli: { command: 'memory agent', positionals: ['did'] },
  },
  'memory.agents': {
    ...read('ours', 'memory:own'),
    summary: 'List the registered agents.',
    input: {},
    output: s.agentList,
    errors: [],
    http: at('GET', '/agents'),
    cli: { command: 'memory agents' },
  },
  'memory.keys': {
    ...read('ours', 'memory:own'),
    summary: 'List the keys that sign for an agent, or for your own profile.',
    input: { query: s.keysQuery },
    output: s.keyList,
    errors: ['A2P002', 'A2P004'],
    http: at('GET', '/keys'),
    cli: { command: 'memory keys', positionals: ['did'] },
  },
  'memory.key.rotate': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary:
      'Give an agent or your own profile a new key; the old one stays valid for a day, or as long as you choose.',
    input: { body: s.keyRotation },
    output: s.keyList,
    errors: ['A2P002', 'A2P004', 'A2P006'],
    http: at('POST', '/keys/rotate'),
    cli: { command: 'memory rotate-key', positionals: ['did', 'public_key'] },
  },
  'memory.key.revoke': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary: 'Revoke a key, effective at once.',
    input: { body: s.keyRevocation },
    output: s.keyList,
    errors: ['A2P002', 'A2P003', 'A2P004'],
    http: at('POST', '/keys/revoke'),
    cli: { command: 'memory revoke-key', positionals: ['did', 'key_id'] },
  },
  'memory.categories': {
    ...read('ours', 'memory:read'),
    summary: 'List the categories and how sensitive they are.',
    input: {},
    output: s.categoryList,
    errors: [],
    http: at('GET', '/categories'),
    cli: { command: 'memory categories' },
  },
  'memory.category.put': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary: 'Register a third party’s category.',
    input: { body: s.categoryInput },
    output: s.idAnswer,
    errors: ['A2P002', 'A2P006', 'A2P010'],
    http: at('PUT', '/categories'),
    cli: { command: 'memory category', positionals: ['category'] },
  },
});
