import type { Handlers } from '../../../spine/operations/handler.ts';
import { answerType, MEDIA_TYPES } from '../media-types.ts';
import type { GovernanceDeps } from '../ports.ts';
import { settle } from './admission.ts';
import type { resolutionOperations } from './operations.ts';
import { readCarpRequest } from './read-request.ts';
import { resolveRequest } from './resolve.ts';

export function createResolutionHandlers(deps: GovernanceDeps): Handlers<typeof resolutionOperations> {
  return {
    'carp.resolve': async ({ input, principal, document }) => {
      const { request } = readCarpRequest(document, ['resolve', 'validate']);
      const result = await deps.db.write((uow) => resolveRequest(uow, deps, principal, request));
      return { body: settle(result), headers: answerType(input.headers.accept, MEDIA_TYPES.carp) };
    },
  };
}
