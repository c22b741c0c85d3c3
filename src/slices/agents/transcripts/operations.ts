import { z } from 'zod';
import { defineOperations, write } from '../../../spine/operations/define.ts';
import { takenSchema, transcriptBody } from './schema.ts';

export const transcriptOperations = defineOperations({
  'agents.transcript': {
    ...write('ours', 'packages:write'),
    // It holds people's words, which erasure could not find again; and the same again changes nothing.
    idempotency: 'refused',
    summary: 'Deposit what happened in a conversation with a coding agent, as one package.',
    description:
      'For the past: what people said is kept as quoted data, secrets are removed. The same transcript again changes nothing; a longer one takes the place of the former.',
    input: { path: z.object({ project_id: z.string() }), body: transcriptBody },
    output: takenSchema,
    errors: ['project_not_found', 'project_archived', 'secret_found'],
    http: { method: 'POST', path: '/v1/projects/{project_id}/transcripts', maxBytes: 8 * 1024 * 1024 },
  },
});
