import { z } from 'zod';
import { defineOperations, outside } from '../operations/define.ts';
import { explanationSchema, forwardQuery, forwardSchema, whyQuery } from './schema.ts';

export const whyOperations = defineOperations({
  'why.explain': {
    ...outside('ours', 'why:read'),
    summary: 'Trace anything back to the rule, package, fact, memory and person behind it.',
    description:
      'Works from any id, through the journal, reads, the inbox and spans. Memories appear by id only.',
    input: { query: whyQuery },
    output: explanationSchema,
    errors: ['nothing_known', 'project_not_found'],
    http: { method: 'GET', path: '/v1/why' },
    mcp: { tool: 'journal', action: 'why' },
  },
  'why.forward': {
    ...outside('ours', 'why:read'),
    summary: 'Find everything that relied on something: the opposite direction of why.',
    description:
      'Follows the journal, what was handed to agents and what they did next, and the rows of grants, links and sessions, up to 100,000 things. Ids that are only mentioned in a text are not followed.',
    input: { query: forwardQuery },
    output: forwardSchema,
    errors: ['nothing_known', 'project_not_found'],
    http: { method: 'GET', path: '/v1/why/forward' },
    mcp: { tool: 'journal', action: 'relied_on' },
  },
  'why.prove': {
    ...outside('ours', 'why:read'),
    idempotency: 'refused',
    summary:
      'Prove an explanation with one file that holds a proof for each step and can be checked offline.',
    description:
      'The journal records that this explanation was given, so the file cannot be altered unnoticed.',
    input: { body: whyQuery },
    output: z.looseObject({}),
    errors: ['nothing_known', 'project_not_found'],
    http: { method: 'POST', path: '/v1/why/proof' },
  },
});
