import { defineOperations, outside } from '../../../spine/operations/define.ts';
import { executeResponseSchema } from '../execution/schema.ts';
import {
  offersQuestionSchema,
  offersSchema,
  performSchema,
  permissionQuestionSchema,
  permissionSchema,
} from './schema.ts';

const REFUSED = ['project_not_found', 'session_not_found', 'session_not_owned', 'session_already_ended'];

export const permissionOperations = defineOperations({
  'carp.may': {
    ...outside('cra', 'carp:execute'),
    summary: 'Ask whether you may do something now; if allowed, do it yourself, once.',
    description:
      'An answer that allows is the call: it counts against limits and uses up an approval for one call. If a person has to agree, they are asked at once with exactly these parameters; ask again with the same ones to learn their answer.',
    input: { body: permissionQuestionSchema },
    output: permissionSchema,
    errors: [...REFUSED, 'invalid_parameters'],
    http: { method: 'POST', path: '/v1/may' },
    mcp: { tool: 'governance', action: 'may' },
  },
  'carp.offers': {
    ...outside('cra', 'carp:resolve'),
    idempotency: 'repeatable',
    summary: 'List the actions and the context that you get for a goal.',
    input: { body: offersQuestionSchema },
    output: offersSchema,
    errors: REFUSED,
    http: { method: 'POST', path: '/v1/offers' },
    mcp: { tool: 'governance', action: 'resolve', reads: true },
  },
  'carp.perform': {
    ...outside('cra', 'carp:execute'),
    summary: 'Let Baton run an action that has an executor, if policy allows it.',
    input: { body: performSchema },
    output: executeResponseSchema,
    errors: [
      ...REFUSED,
      'action_not_found',
      'invalid_parameters',
      'idempotency_conflict',
      'execution_in_progress',
    ],
    http: { method: 'POST', path: '/v1/perform' },
    mcp: { tool: 'governance', action: 'execute' },
  },
});
