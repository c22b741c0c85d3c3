import { visibleSession } from '../../../spine/identity/sessions/session-access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { sessionOperations } from './operations.ts';
import { endSession, listSessions, sessionView, startSession } from './sessions.ts';

export function createSessionHandlers(deps: GovernanceDeps): Handlers<typeof sessionOperations> {
  return {
    'carp.session.start': async (uow, { input, principal, document }) => ({
      body: sessionView(await startSession(uow, deps, principal, input.body, document)),
    }),

    'carp.session.list': async (reader, { input, principal }) => ({
      body: await listSessions(reader, principal, input.query),
    }),

    'carp.session.get': async (reader, { input, principal }) => ({
      body: sessionView(await visibleSession(reader, principal, input.path.session_id.toLowerCase())),
    }),

    'carp.session.end': async (uow, { input, principal }) => {
      await endSession(uow, deps, principal, input.path.session_id, input.query.reason ?? 'completed');
      return { body: null };
    },
  };
}
