import { subjectOf } from '../../../spine/identity/access.ts';
import type { McpDeps } from '../call.ts';
import type { Caller } from '../caller.ts';
import { mcpErrors } from '../errors.ts';
import { createNotificationStream, type NotificationStream } from './notification-stream.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

/**
 * Sessions of the 2025 revisions over HTTP. Calls need none, so a restart of the server costs a client nothing but its
 * subscriptions; a session comes to be with the first of them, or with its stream.
 */
export interface HttpSessions {
  newId(caller: Caller): string;
  subscriptions(id: string | undefined, caller: Caller): Subscriptions;
  stream(id: string, caller: Caller, signal: AbortSignal): Response;
  end(id: string, caller: Caller): void;
}

interface Session {
  readonly owner: string;
  readonly stream: NotificationStream;
  readonly subscriptions: Subscriptions;
  /** Of the newest request: a client may renew its token. */
  caller: Caller;
  unheard: NodeJS.Timeout | undefined;
}

const MOST_SESSIONS = 1_000;
const MOST_UNUSED = 10_000;
/** A session that nobody listens to ends after this: time enough to reconnect. */
const UNHEARD_MS = 60_000;

export function createHttpSessions(services: McpDeps): HttpSessions {
  const sessions = new Map<string, Session>();
  /** Ids that were given out and not used yet, with whose they are. What is neither here nor open is over. */
  const unused = new Map<string, string>();

  function open(id: string, caller: Caller): Session {
    const stream = createNotificationStream();
    const session: Session = {
      owner: subjectOf(caller.principal.actor),
      stream,
      subscriptions: createSubscriptions(services, {
        now: () => session.caller.now(),
        updated: stream.updated,
        ended: () => close(id),
      }),
      caller,
      unheard: undefined,
    };
    sessions.set(id, session);
    waitForListener(id, session);
    return session;
  }

  function waitForListener(id: string, session: Session): void {
    clearTimeout(session.unheard);
    session.unheard = setTimeout(() => close(id), UNHEARD_MS).unref();
  }

  function close(id: string): void {
    const session = sessions.get(id);
    if (!session) return;
    sessions.delete(id);
    session.subscriptions.close();
    session.stream.close();
    clearTimeout(session.unheard);
  }

  function sessionOf(id: string, caller: Caller): Session {
    const session = sessions.get(id);
    if ((session?.owner ?? unused.get(id)) !== subjectOf(caller.principal.actor)) {
      throw mcpErrors.mcp_session_ended();
    }
    if (!session) {
      if (sessions.size >= MOST_SESSIONS) throw mcpErrors.too_many_subscriptions();
      unused.delete(id);
      return open(id, caller);
    }
    session.caller = caller;
    return session;
  }

  return {
    newId(caller) {
      const id = services.newRequestId();
      unused.set(id, subjectOf(caller.principal.actor));
      const [oldest] = unused.keys();
      if (unused.size > MOST_UNUSED && oldest !== undefined) unused.delete(oldest);
      return id;
    },
    subscriptions(id, caller) {
      if (id === undefined) throw mcpErrors.mcp_session_needed();
      return sessionOf(id, caller).subscriptions;
    },
    stream(id, caller, signal) {
      const session = sessionOf(id, caller);
      const response = session.stream.open(signal, () => waitForListener(id, session));
      clearTimeout(session.unheard);
      return response;
    },
    end(id, caller) {
      sessionOf(id, caller);
      close(id);
    },
  };
}
