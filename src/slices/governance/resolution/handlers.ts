import { chosenProject } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { GovernanceDeps } from '../ports.ts';
import { answerType, MEDIA_TYPES } from '../schema.ts';
import { readCarpRequest, settle } from './admission.ts';
import { explainDecisions } from './explain.ts';
import type { resolutionOperations } from './operations.ts';
import { resolveRequest } from './resolve.ts';

export function createResolutionHandlers(deps: GovernanceDeps): Handlers<typeof resolutionOperations> {
  return {
    'carp.resolve': async ({ input, principal, document }) => {
      const { request } = readCarpRequest(document, ['resolve', 'validate']);
      const result = await deps.db.write((uow) => resolveRequest(uow, deps, principal, request));
      return { body: settle(result), headers: answerType(input.headers.accept, MEDIA_TYPES.carp) };
    },

    'carp.explain': async (reader, { input, principal }) => {
      const projectId = chosenProject(principal, input.query.project);
      const explanations = await explainDecisions(reader, deps, principal, projectId, input.body);
      return { body: { explanations: explanations.map((each) => ({ ...each })) } };
    },
  };
}
