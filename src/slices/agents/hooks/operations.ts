import { z } from 'zod';
import { defineOperations, outside } from '../../../spine/operations/define.ts';
import { clientPath, hookAnswerSchema, hookBody } from './schema.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const errors = ['project_not_found', 'project_archived', 'session_not_owned'];

export const hookOperations = defineOperations({
  'agents.hook': {
    ...outside('ours', 'sessions:write'),
    // It holds people's words, which erasure could not find again.
    idempotency: 'refused',
    summary: 'Tell what a coding agent’s hook was called with, and learn what the hook should answer.',
    description:
      'For the hook program, which sends the client’s message verbatim. It speaks for the credential’s actor only; nothing is approved through it.',
    input: { path: clientPath, body: hookBody },
    output: hookAnswerSchema,
    errors,
    http: { method: 'POST', path: '/v1/hooks/{client}', maxBytes: MAX_BYTES },
  },
  'agents.hook_direct': {
    ...outside('ours', 'sessions:write'),
    idempotency: 'refused',
    summary: 'The same for a client that calls addresses itself: its message in, its answer out.',
    description:
      'An empty answer is silence. It is for a client on the same machine as the server. Words between `<private>` and `</private>` are removed on arrival: to keep them from leaving the client, use the hook program.',
    input: {
      path: clientPath,
      query: z.object({
        root: z.string().min(1).max(4_096).describe('The repository.'),
        prompts: z.boolean().optional(),
        wait_seconds: z.number().min(0).max(600).optional(),
      }),
      body: z.looseObject({}),
    },
    output: z.looseObject({}),
    errors,
    http: { method: 'POST', path: '/v1/hooks/{client}/direct', maxBytes: MAX_BYTES },
  },
});
