import { defineOperations, outside } from '../../../spine/operations/define.ts';
import { acceptHeader } from '../schema.ts';
import { carpRequestBody, carpResolutionSchema, REFUSALS } from './schema.ts';

export const resolutionOperations = defineOperations({
  'carp.resolve': {
    ...outside('cra', 'carp:resolve'),
    summary: 'Ask which actions and context an agent gets for a goal.',
    description:
      'Accepts the operation `resolve`, or `validate` for the same answer without storing anything.',
    input: { headers: acceptHeader, body: carpRequestBody },
    bodyName: 'request',
    output: carpResolutionSchema,
    errors: REFUSALS,
    http: { method: 'POST', path: '/v1/resolve' },
    mcp: { tool: 'governance', action: 'resolve' },
    cli: { command: 'carp resolve' },
  },
});
