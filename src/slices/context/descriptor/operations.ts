import { z } from 'zod';
import { defineOperations, outside } from '../../../spine/operations/define.ts';

const descriptorSchema = z.looseObject({
  protocol_version: z.string(),
  conformance_level: z.enum(['L0', 'L1', 'L2', 'L3']),
  capabilities: z.looseObject({
    hybrid_search: z.boolean(),
    semantic_search: z.boolean(),
    realtime: z.boolean(),
    blob_storage: z.boolean(),
  }),
  implementation: z.object({ name: z.string(), version: z.string() }),
  operations: z.record(z.string(), z.boolean()),
  extensions: z.array(z.string()),
  limits: z.record(z.string(), z.number()),
});

export const descriptorOperations = defineOperations({
  'context.conformance': {
    ...outside('agentic', 'open'),
    summary: 'Say which protocol, level, operations and extensions this server has.',
    input: {
      headers: z.object({
        'relay-want': z.string().optional().describe('`L2; ext="events/1"`: 501 names what is missing.'),
        'if-none-match': z.string().optional(),
      }),
    },
    output: descriptorSchema,
    errors: ['not_implemented'],
    http: { method: 'GET', path: '/v1/conformance' },
  },
});
