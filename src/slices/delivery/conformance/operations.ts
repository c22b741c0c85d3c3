import { z } from 'zod';
import { defineOperations, outside } from '../../../spine/operations/define.ts';
import { adapterResultSchema } from '../schema.ts';

export const conformanceOperations = defineOperations({
  'conform.capabilities': {
    ...outside('ours', 'open'),
    summary: 'Report which AgentXchain tiers and surfaces this server claims.',
    input: {},
    output: z.looseObject({}),
    errors: [],
    http: { method: 'GET', path: '/conform/capabilities' },
  },
  'conform.execute': {
    // A fixture about hooks brings the programs to run.
    ...outside('ours', 'admin'),
    summary: 'Run one AgentXchain conformance fixture against the engine.',
    input: { body: z.looseObject({}) },
    output: adapterResultSchema,
    errors: [],
    http: { method: 'POST', path: '/conform/execute' },
  },
});
