import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Clock } from '../../kernel/clock.ts';
import type { Dispatcher } from '../../spine/dispatch/dispatch.ts';
import { dispatchErrors } from '../../spine/dispatch/errors.ts';
import type { Bound, Registry } from '../../spine/dispatch/registry.ts';
import { subjectOf } from '../../spine/identity/access.ts';
import { identityErrors } from '../../spine/identity/errors.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import type { BodyLimits } from '../../spine/operations/body.ts';
import type { Operation } from '../../spine/operations/define.ts';
import type { Shares } from '../../spine/operations/shares.ts';
import { answerCall, answerPlain, invocationOf, refusalOf } from './call.ts';
import type { HttpRequest } from './http-request.ts';
import { routerPath, routesOf } from './route-table.ts';
import { sseResponse } from './sse.ts';
import { whileStanding } from './standing.ts';
import { webRequest, webResponseOf } from './web-request.ts';
import { asksForWebSocket, webSocketResponse } from './web-socket.ts';

export interface RouteDeps {
  readonly registry: Registry;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly body: BodyLimits;
  /**
   * Authenticates the caller; throws if the credential is missing or bad. Not called for open operations. `again`: of a
   * request that was counted before.
   */
  readonly authenticate: (request: HttpRequest, operation: Operation, again?: 'again') => Promise<Principal>;
  readonly anonymous: Principal;
  /** For streams, so many to each actor. */
  readonly streams: Shares;
  /** How the caller reached us, as their address bar shows it. */
  readonly originOf: (request: HttpRequest) => string;
  /** Fires when the server is about to stop: streams end, so that clients reconnect elsewhere with their cursor. */
  readonly draining: AbortSignal;
  /** Fires when the server stops: nothing is answered any more. */
  readonly closing: AbortSignal;
  readonly log: (error: unknown, context: { requestId: string; operation: string }) => void;
}

export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: { requestId: string };
}

const TOO_MANY_STREAMS = 'As many streams are open for this actor as one actor may have.';

/** Every operation with an HTTP face becomes a route. */
export function addRoutes(app: Hono<HttpEnv>, deps: RouteDeps): void {
  for (const { bound, method, path } of routesOf(deps.registry)) {
    const handle = (context: Context<HttpEnv>) => answer(context, bound, deps);
    // As `node-listener.ts` has it: a plain operation has its address with a slash at its end, too.
    const paths = bound.operation.kind === 'plain' && !path.endsWith('/') ? [path, `${path}/`] : [path];
    for (const each of paths.map(routerPath)) {
      if (method === 'ANY') app.all(each, handle);
      else app.on(method, each, handle);
    }
  }
}

async function answer(context: Context<HttpEnv>, bound: Bound, deps: RouteDeps): Promise<Response> {
  const { operation } = bound;
  const request = webRequest(
    context.req.raw,
    context.req.param(),
    context.env?.incoming?.socket,
    deps.body.idleSeconds,
  );
  const requestId = context.get('requestId');
  if (operation.kind === 'call') return webResponseOf(await answerCall(bound, request, requestId, deps));
  if (operation.kind === 'plain') return webResponseOf(await answerPlain(bound, request, requestId, deps));
  try {
    if (operation.kind === 'raw') {
      const invocation = await invocationOf(operation, request, requestId, deps);
      return await deps.dispatcher.raw(bound, context.req.raw, invocation);
    }
    // A stream that began now would only end at once: its client does better elsewhere.
    if (deps.draining.aborted) throw dispatchErrors.shutting_down();
    const gone = new AbortController();
    const invocation = await invocationOf(operation, request, requestId, deps, gone.signal);
    const leave = deps.streams.take(subjectOf(invocation.principal.actor));
    if (!leave) throw identityErrors.rate_limited({ message: TOO_MANY_STREAMS, retryAfterSeconds: 10 });
    const stop = () => {
      leave();
      gone.abort();
    };
    request.signal.addEventListener('abort', stop, { once: true });
    const items = await deps.dispatcher.stream(bound, invocation).catch((error: unknown) => {
      stop();
      throw error;
    });
    const standing = whileStanding(items, invocation.standing, leave);
    const failed = (error: unknown) => deps.log(error, { requestId, operation: operation.name });
    return asksForWebSocket(context)
      ? await webSocketResponse(context, standing, stop, failed)
      : sseResponse(standing, stop, failed);
  } catch (thrown) {
    const refusal = webResponseOf(refusalOf(operation, thrown, requestId, deps));
    if (refusal.status === 401 && operation.http?.protectedResource) {
      const metadata = `${deps.originOf(request)}/.well-known/oauth-protected-resource${operation.http.path}`;
      refusal.headers.set('www-authenticate', `Bearer realm="baton", resource_metadata="${metadata}"`);
    }
    return refusal;
  }
}
