import { z } from 'zod';
import { defineOperations, outside } from '../../../spine/operations/define.ts';

export const schemaOperations = defineOperations({
  'schema.get': {
    ...outside('cra', 'open'),
    summary: 'Read one of the JSON Schemas.',
    input: { path: z.object({ name: z.string() }) },
    output: z.looseObject({}),
    errors: ['schema_not_found'],
    http: { method: 'GET', path: '/v1/schemas/{name}' },
  },
});
