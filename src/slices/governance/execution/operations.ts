import { defineOperations, outside } from '../../../spine/operations/define.ts';
import { carpRequestBody, REFUSALS } from '../resolution/schema.ts';
import { acceptHeader } from '../schema.ts';
import { executeResponseSchema } from './schema.ts';

export const executionOperations = defineOperations({
  'carp.execute': {
    ...outside('cra', 'carp:execute'),
    summary: 'Run an action that a resolution allows.',
    input: { headers: acceptHeader, body: carpRequestBody },
    bodyName: 'request',
    output: executeResponseSchema,
    errors: [
      ...REFUSALS,
      'resolution_not_found',
      'resolution_expired',
      'action_denied',
      'action_not_found',
      'invalid_parameters',
      'rate_limit_exceeded',
      'budget_exceeded',
      'idempotency_conflict',
      'execution_in_progress',
    ],
    http: { method: 'POST', path: '/v1/execute' },
    cli: { command: 'carp execute' },
  },
});
