import { defineOperations } from '../../operations/define.ts';
import { at, own, read, write } from '../declare.ts';
import * as s from '../schema.ts';

export const registryOperations = defineOperations({
  'memory.agent.put': {
    ...write,
    ...own,
    summary: 'Register an agent: its key, its operator and what you vouch for.',
    input: { body: s.agentInput },
    output: s.idAnswer,
    errors: ['A2P002', 'A2P006', 'A2P010'],
    http: at('PUT', '/agents'),
    cli: { command: 'memory agent', positionals: ['did'] },
  },
  'memory.agents': {
    ...read,
    ...own,
    summary: 'List the agents that are registered.',
    input: {},
    output: s.agentList,
    errors: [],
    http: at('GET', '/agents'),
    cli: { command: 'memory agents' },
  },
  'memory.categories': {
    ...read,
    wire: 'ours',
    scope: 'memory:read',
    summary: 'List the categories and how sensitive they are.',
    input: {},
    output: s.categoryList,
    errors: [],
    http: at('GET', '/categories'),
    cli: { command: 'memory categories' },
  },
  'memory.category.put': {
    ...write,
    ...own,
    summary: 'Register a category of a third party.',
    input: { body: s.categoryInput },
    output: s.idAnswer,
    errors: ['A2P006', 'A2P010'],
    http: at('PUT', '/categories'),
    cli: { command: 'memory category', positionals: ['category'] },
  },
});
