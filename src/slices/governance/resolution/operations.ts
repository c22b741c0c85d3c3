import { z } from 'zod';
import { defineOperations, outside, read } from '../../../spine/operations/define.ts';
import { ownProject } from '../../../spine/operations/own-project.ts';
import { acceptHeader } from '../schema.ts';
import { carpRequestBody, carpResolutionSchema, explainQuestionSchema, REFUSALS } from './schema.ts';

export const resolutionOperations = defineOperations({
  'carp.resolve': {
    ...outside('cra', 'carp:resolve'),
    idempotency: 'repeatable',
    summary: 'Ask which actions and context an agent gets for a goal.',
    description:
      'Accepts the operation `resolve`, or `validate` for the same answer without storing anything.',
    input: { headers: acceptHeader, body: carpRequestBody },
    bodyName: 'request',
    output: carpResolutionSchema,
    errors: REFUSALS,
    http: { method: 'POST', path: '/v1/resolve' },
    cli: { command: 'carp resolve' },
  },
  'carp.explain': {
    ...read('cra', 'carp:resolve'),
    summary: 'Explain each decision: the rule that wins, the rules that match, and why the others do not.',
    input: { query: z.object({ project: ownProject }), body: explainQuestionSchema },
    output: z.object({ explanations: z.array(z.looseObject({})) }),
    errors: ['project_not_found', 'atlas_not_found', 'action_not_found'],
    http: { method: 'POST', path: '/v1/explain' },
    mcp: { tool: 'governance', action: 'explain' },
    cli: { command: 'carp explain', positionals: ['action_id'] },
  },
});
