import { z } from 'zod';
import { cleanupReport } from '../../../spine/operations/cleanup-report.ts';
import { defineOperations, read } from '../../../spine/operations/define.ts';
import { projectPath } from '../schema.ts';

export const cleanupOperations = defineOperations({
  'context.cleanup': {
    ...read('ours', 'packages:read'),
    summary: 'Report packages and facts that have gone bad, with a proposal for each.',
    description:
      'Duplicates, facts under keys that differ only in spelling, secrets, and packages that are too long to be read. Changes nothing.',
    input: {
      path: projectPath,
      query: z.object({ imported: z.boolean().optional().describe('Only what came with an import.') }),
    },
    output: cleanupReport,
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/cleanup' },
  },
});
