import type { Handlers } from '../../../spine/operations/handler.ts';
import type { AgentsPorts } from '../ports.ts';
import type { transcriptOperations } from './operations.ts';
import { takeTranscript } from './take-transcript.ts';

export function createTranscriptHandlers(deps: AgentsPorts): Handlers<typeof transcriptOperations> {
  return {
    'agents.transcript': async (uow, { input, principal }) => ({
      body: await takeTranscript(uow, deps, principal, input.path.project_id, input.body),
    }),
  };
}
