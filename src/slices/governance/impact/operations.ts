import { z } from 'zod';
import { defineOperations, outside } from '../../../spine/operations/define.ts';
import { ownProject as project } from '../../../spine/operations/own-project.ts';
import { manifestBody } from '../atlases/schema.ts';
import { impactSchema } from './schema.ts';

const moment = (what: string) =>
  z.string().optional().describe(`${what}: an instant, a day, or how long ago, such as 7d or 12h.`);

export const impactOperations = defineOperations({
  'atlas.impact': {
    ...outside('cra', 'journal:read'),
    idempotency: 'refused',
    summary: 'Decide what was recorded again with a new version of an Atlas, and list what would change.',
    description:
      'Compares every resolution and every call with its parameters, over all sessions of the project or one of them, by the versions that decided them. What cannot be compared is counted in `skips` with the reason.',
    input: {
      query: z.object({
        project,
        since: moment('From when on'),
        until: moment('Until when'),
        session_id: z.string().optional().describe('Of one session alone.'),
        guardrail: z
          .boolean()
          .optional()
          .describe('As if its rules applied to every request, also those that were decided without it.'),
        limit: z.int().min(0).max(1000).optional().describe('How many changes to list; 100 unless given.'),
      }),
      body: manifestBody,
    },
    bodyName: 'manifest',
    output: impactSchema,
    errors: [
      'project_not_found',
      'session_not_found',
      'invalid_atlas_manifest',
      'invalid_moment',
      'work_too_large',
      'work_queue_full',
    ],
    http: { method: 'POST', path: '/v1/atlases/impact', maxBytes: 8_388_608, maxValues: 100_000 },
  },
});
