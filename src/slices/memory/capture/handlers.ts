import type { Handlers } from '../../../spine/operations/handler.ts';
import type { MemoryDeps } from '../ports.ts';
import { capture } from './capture.ts';
import type { captureOperations } from './operations.ts';

export function createCaptureHandlers(deps: MemoryDeps): Handlers<typeof captureOperations> {
  return {
    'memory.capture': async (uow, { input: { body }, principal, requestId }) => {
      const { session, turns, client } = body;
      const request = { session, turns, clientName: client, requestId };
      return { body: { proposal_ids: await capture(uow, deps, principal, request) } };
    },
  };
}
