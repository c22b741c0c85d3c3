import type { Principal } from '../../../spine/identity/principal.ts';
import { requireSessionOwner } from '../../../spine/identity/sessions/session-access.ts';
import { type Handlers, JsonText } from '../../../spine/operations/handler.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { traceOperations } from './operations.ts';
import { followTrace, readableSession, tracePage } from './read.ts';
import { recordedCallLines, recordedInputs, replaySession, sessionState, verifyTrace } from './replay.ts';
import { traceResponse } from './response.ts';

export function createTraceHandlers(deps: GovernanceDeps): Handlers<typeof traceOperations> {
  const readable = (principal: Principal, sessionId: string) =>
    deps.db.read((reader) => readableSession(reader, principal, sessionId));

  return {
    'trace.stream': async ({ input, principal, signal }) => {
      const session = await readable(principal, input.query.session_id);
      const since = input.headers['last-event-id'] ?? input.query.since_sequence ?? -1;
      const items = followTrace(deps, session, since, signal);
      return items as typeof items & AsyncIterable<never>;
    },

    'trace.read': async (request, { input, principal }) => {
      const { sessionId } = await readable(principal, input.path.session_id);
      return traceResponse(deps, sessionId, input.query, request.headers.get('accept'));
    },

    'trace.events': async (reader, { input, principal }) => {
      const { sessionId } = await readableSession(reader, principal, input.path.session_id);
      const { event_type: eventType, since_sequence: sinceSequence, limit } = input.query;
      const page = await tracePage(reader, deps, sessionId, { eventType, sinceSequence, limit });
      const events = `[${page.lines.join(',')}]`;
      return {
        body: new JsonText(
          `{"session_id":"${sessionId}","events":${events},"total":${page.total},"last_sequence":${page.last}}`,
        ),
      };
    },

    'trace.verify': async ({ input, principal }) => {
      const { sessionId } = await readable(principal, input.path.session_id);
      return { body: await verifyTrace(deps, sessionId) };
    },

    'trace.state': async ({ input, principal }) => {
      const { sessionId } = await readable(principal, input.path.session_id);
      return { body: { ...(await sessionState(deps, sessionId)) } };
    },

    'trace.inputs': async ({ input, principal }) => {
      const session = await readable(principal, input.path.session_id);
      requireSessionOwner(principal, session);
      const items = await recordedInputs(deps, session.sessionId);
      const calls = await recordedCallLines(deps, session.sessionId);
      return { body: new JsonText(`{"items":${JSON.stringify(items)},"calls":[${calls.join(',')}]}`) };
    },

    'trace.replay': async ({ input, principal }) => {
      const { sessionId } = await readable(principal, input.path.session_id);
      return { body: { ...(await replaySession(deps, sessionId)) } };
    },
  };
}
