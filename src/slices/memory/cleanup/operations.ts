import { cleanupReport } from '../../../spine/operations/cleanup-report.ts';
import { defineOperations, read } from '../../../spine/operations/define.ts';
import { at, missing } from '../declare.ts';
import * as s from '../schema.ts';

export const cleanupOperations = defineOperations({
  'memory.cleanup': {
    ...read('ours', 'memory:own'),
    summary: 'Report memories that have gone bad, with a proposal for each.',
    description:
      'Duplicates, contradictions, secrets, memories that faded, that no agent was ever given, or that are too long. Changes nothing: each proposal names the operation that would mend it, with its input.',
    input: { query: s.cleanupQuery },
    output: cleanupReport,
    errors: [...missing],
    http: at('GET', '/cleanup'),
    cli: { command: 'memory cleanup' },
  },
});
