import { ACTION_ID, ATLAS_ID } from '../schema.ts';
import {
  closed,
  document,
  instant,
  listOf,
  open,
  riskTier,
  texts,
  uuid,
  uuidOrNull,
  version,
} from './common.ts';

export const carpRequestJsonSchema = document('carp-request', 'CARP request', {
  ...closed(
    {
      carp_version: version,
      request_id: uuid,
      timestamp: instant,
      operation: { enum: ['resolve', 'execute', 'validate'] },
      requester: closed(
        {
          agent_id: { type: 'string', minLength: 1, maxLength: 255 },
          session_id: uuid,
          parent_session_id: uuidOrNull,
        },
        ['agent_id', 'session_id'],
      ),
      task: closed(
        {
          goal: { type: 'string', minLength: 1, maxLength: 10_000 },
          risk_tier: riskTier,
          context_hints: texts,
          required_capabilities: texts,
        },
        ['goal'],
      ),
      execution: closed(
        {
          resolution_id: uuid,
          action_id: { type: 'string', pattern: ACTION_ID.source },
          parameters: open,
          idempotency_key: { type: ['string', 'null'], maxLength: 255 },
        },
        ['resolution_id', 'action_id', 'parameters'],
      ),
      atlas_ids: listOf({ type: 'string', pattern: ATLAS_ID.source }),
      context: open,
    },
    ['carp_version', 'request_id', 'timestamp', 'operation', 'requester', 'task'],
  ),
  if: { properties: { operation: { const: 'execute' } }, required: ['operation'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['execution'] },
});
