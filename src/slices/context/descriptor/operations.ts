import { z } from 'zod';
import { defineOperations, outside } from '../../../spine/operations/define.ts';
import { descriptorSchema } from '../schema.ts';

export const descriptorOperations = defineOperations({
  'context.conformance': {
    ...outside('agentic', 'open'),
    summary: 'Report the protocol, level, operations and extensions that this server supports.',
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
