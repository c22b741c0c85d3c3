import type { Handlers } from '../../../spine/operations/handler.ts';
import type { GovernanceDeps } from '../ports.ts';
import { readCarpRequest } from '../resolution/admission.ts';
import { answerType, MEDIA_TYPES } from '../schema.ts';
import { executeRequest } from './execute.ts';
import type { executionOperations } from './operations.ts';

export function createExecutionHandlers(deps: GovernanceDeps): Handlers<typeof executionOperations> {
  return {
    'carp.execute': async ({ input, principal, document }) => {
      const { status, body, retryAfter } = await executeRequest(
        deps,
        principal,
        readCarpRequest(document, ['execute']),
      );
      return {
        status,
        body,
        headers: {
          ...answerType(input.headers.accept, MEDIA_TYPES.carp),
          ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
        },
      };
    },
  };
}
