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
});
