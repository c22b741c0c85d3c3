import type { BatonError } from '../../../kernel/error.ts';
import { canSeeProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { CarpRequest } from './schema.ts';

/** A call that may not touch the session it names is told on the ledger of whoever made it. */
export async function recordRefusal(
  deps: GovernanceDeps,
  uow: UnitOfWork,
  principal: Principal,
  request: CarpRequest,
  error: BatonError,
): Promise<void> {
  const session = await selectSession(uow, request.requester.session_id.toLowerCase());
  const seen = session !== undefined && canSeeProject(principal, session.projectId);
  await deps.record(uow, {
    projectId: seen ? session.projectId : principal.defaultProject,
    actor: principal.actor,
    type: 'carp.refused',
    payload: {
      code: error.code.toUpperCase(),
      operation: request.operation,
      request_id: request.request_id,
      session_id: request.requester.session_id,
    },
  });
}
