import { z } from 'zod';
import { defineOperations, outside } from '../operations/define.ts';
import { explanationSchema, whyQuery } from './schema.ts';

export const whyOperations = defineOperations({
  'why.explain': {
    ...outside('ours', 'why:read'),
    summary: 'Say from which rule, package, fact, memory and person something came.',
    description:
      'From any id back over the journal, what was read, the inbox and the spans. Memories by id only.',
    input: { query: whyQuery },
    output: explanationSchema,
    errors: ['nothing_known', 'project_not_found'],
    http: { method: 'GET', path: '/v1/why' },
    mcp: { tool: 'journal', action: 'why' },
  },
  'why.prove': {
    ...outside('ours', 'why:read'),
    idempotency: 'refused',
    summary: 'Prove an explanation: one file with a proof for each step, to be checked offline.',
    description:
      'The journal records that this explanation was given, so that no word of the file can be changed.',
    input: { body: whyQuery },
    output: z.looseObject({}),
    errors: ['nothing_known', 'project_not_found'],
    http: { method: 'POST', path: '/v1/why/proof' },
  },
});
