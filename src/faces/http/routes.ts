import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Clock } from '../../kernel/clock.ts';
import type { Dispatcher } from '../../spine/dispatch/dispatch.ts';
import type { Bound, Registry } from '../../spine/dispatch/registry.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import type { Operation } from '../../spine/operations/define.ts';
import type { Asked } from './asked.ts';
import type { BodyLimits } from './body.ts';
import { answerCall, answerPlain, invocationOf, refusalOf } from './call.ts';
import { routerPath } from './path-pattern.ts';
import { routesOf } from './route-table.ts';
import { sseResponse } from './sse.ts';
import { askedByWeb, webResponseOf } from './web-request.ts';
import { asksForWebSocket, webSocketResponse } from './web-socket.ts';

export interface RouteServices {
  readonly registry: Registry;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly body: BodyLimits;
  /** Finds out who asks; throws where the credential is missing or bad. Not called for open operations. */
  readonly authenticate: (asked: Asked, operation: Operation) => Promise<Principal>;
  readonly anonymous: Principal;
  /** Fires when the server stops: streams end, so that clients reconnect elsewhere. */
  readonly closing: AbortSignal;
  readonly log: (error: unknown, context: { requestId: string; operation: string }) => void;
}

export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: { requestId: string };
}

/** Every operation with an HTTP face becomes a route. */
export function addRoutes(app: Hono<HttpEnv>, services: RouteServices): void {
  for (const { bound, method, path } of routesOf(services.registry)) {
    const handle = (context: Context<HttpEnv>) => answer(context, bound, services);
    if (method === 'ANY') app.all(routerPath(path), handle);
    else app.on(method, routerPath(path), handle);
  }
}

async function answer(context: Context<HttpEnv>, bound: Bound, services: RouteServices): Promise<Response> {
  const { operation } = bound;
  const asked = askedByWeb(context.req.raw, context.req.param(), context.env?.incoming?.socket);
  const requestId = context.get('requestId');
  if (operation.kind === 'call') return webResponseOf(await answerCall(bound, asked, requestId, services));
  if (operation.kind === 'plain') return webResponseOf(await answerPlain(bound, asked, requestId, services));
  try {
    if (operation.kind === 'raw') {
      const invocation = await invocationOf(operation, asked, requestId, services);
      return await services.dispatcher.raw(bound, context.req.raw, invocation);
    }
    const gone = new AbortController();
    const invocation = await invocationOf(operation, asked, requestId, services, gone.signal);
    const items = await services.dispatcher.stream(bound, invocation);
    const stop = () => gone.abort();
    return asksForWebSocket(context)
      ? await webSocketResponse(context, items, stop)
      : sseResponse(items, stop);
  } catch (thrown) {
    return webResponseOf(refusalOf(operation, thrown, requestId, services));
  }
}
