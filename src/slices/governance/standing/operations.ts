import { z } from 'zod';
import { defineOperations, read } from '../../../spine/operations/define.ts';
import { draftedAnswerSchema, standingAnswerSchema } from './schema.ts';

export const standingOperations = defineOperations({
  'standing.list': {
    ...read('cra', 'approvals:decide'),
    summary: 'List the rules that your own decisions suggest: what you have always approved.',
    description:
      'Twenty or more approvals of one agent, action and rule within 90 days, with no exception by anybody. Never for a risk of `high` or above.',
    input: { query: z.object({ project: z.string().optional().describe('Only this project.') }) },
    output: z.object({ items: z.array(standingAnswerSchema) }),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/standing-answers' },
    cli: { command: 'approvals suggested' },
  },
  'standing.draft': {
    ...read('cra', 'approvals:decide'),
    summary: 'Draft the rule of a suggestion, and show what it would have decided. Nothing is loaded.',
    input: { path: z.object({ id: z.string() }) },
    output: draftedAnswerSchema,
    errors: ['standing_answer_not_found'],
    http: { method: 'GET', path: '/v1/standing-answers/{id}' },
    cli: { command: 'approvals draft', positionals: ['id'] },
  },
});
