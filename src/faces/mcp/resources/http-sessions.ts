import { subjectOf } from '../../../spine/identity/access.ts';
import { Shares } from '../../../spine/operations/shares.ts';
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
  readonly leave: () => void;
}

const SESSIONS = { most: 1_000, each: 100 };
const MOST_UNUSED = { most: 10_000, each: 1_000 };
/** A session that nobody listens to ends after this: time enough to reconnect. */
const UNHEARD_MS = 60_000;

export function createHttpSessions(services: McpDeps): HttpSessions {
  const sessions = new Map<string, Session>();
  /** Ids that were given out and not used yet, by whose they are. What is neither here nor open is over. */
  const unused = new UnusedIds();
  const places = new Shares(SESSIONS);

  function open(id: string, caller: Caller, leave: () => void): Session {
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
      leave,
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
    session.leave();
    clearTimeout(session.unheard);
  }

  function sessionOf(id: string, caller: Caller): Session {
    const session = sessions.get(id);
    const owner = subjectOf(caller.principal.actor);
    if (session ? session.owner !== owner : !unused.has(owner, id)) {
      throw mcpErrors.mcp_session_ended();
    }
    if (!session) {
      const leave = places.take(owner);
      if (!leave) throw mcpErrors.too_many_subscriptions();
      unused.delete(owner, id);
      return open(id, caller, leave);
    }
    session.caller = caller;
    return session;
  }

  return {
    newId(caller) {
      const id = services.newRequestId();
      unused.add(subjectOf(caller.principal.actor), id);
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

/** Where there are too many, the oldest of the same owner goes, so that nobody's requests end what others have begun. */
class UnusedIds {
  readonly #ids = new Map<string, Set<string>>();
  #count = 0;

  has(owner: string, id: string): boolean {
    return this.#ids.get(owner)?.has(id) === true;
  }

  add(owner: string, id: string): void {
    const own = this.#ids.get(owner) ?? new Set();
    this.#ids.set(owner, own.add(id));
    this.#count += 1;
    if (own.size > MOST_UNUSED.each) this.#deleteOldest(owner, own);
    const [first] = this.#ids;
    if (this.#count > MOST_UNUSED.most && first) this.#deleteOldest(...first);
  }

  delete(owner: string, id: string): void {
    const own = this.#ids.get(owner);
    if (!own?.delete(id)) return;
    this.#count -= 1;
    if (own.size === 0) this.#ids.delete(owner);
  }

  #deleteOldest(owner: string, own: ReadonlySet<string>): void {
    const [oldest] = own;
    if (oldest !== undefined) this.delete(owner, oldest);
  }
}
