import type { IncomingMessage, ServerResponse } from 'node:http';
import { Hono } from 'hono';
import { dispatchErrors } from '../../spine/dispatch/errors.ts';
import { guardAgainstForeignPages, SECURITY_HEADERS } from './guard.ts';
import { requestIdOf } from './http-request.ts';
import type { Metrics } from './metrics.ts';
import { closeUnlessRead } from './node-request.ts';
import { refusalBy } from './refusal.ts';
import { pathPattern } from './route-table.ts';
import { addRoutes, type HttpEnv, type RouteDeps } from './routes.ts';
import type { StaticFiles } from './static-files.ts';
import { webResponseOf } from './web-request.ts';
import { oursWire } from './wires/ours.ts';

export interface HttpDeps extends RouteDeps {
  readonly hosts: ReadonlySet<string>;
  readonly newRequestId: () => string;
  readonly metrics: Metrics;
  readonly files: StaticFiles | undefined;
}

/** The web-standard application: the routes of the table, and around them what every request passes. */
export function createHttpApp(deps: HttpDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  app.use(async (context, next) => {
    const started = performance.now();
    const requestId = requestIdOf(context.req.header('x-request-id'), deps);
    context.set('requestId', requestId);
    try {
      const host = context.req.header('host') ?? new URL(context.req.url).host;
      guardAgainstForeignPages({ host, origin: context.req.header('origin') }, deps);
      if (deps.closing.aborted) throw dispatchErrors.shutting_down();
      await next();
    } catch (thrown) {
      context.res = refusal(thrown, requestId);
    }
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.res.headers.set(name, value);
    context.res.headers.set('x-request-id', requestId);
    const { incoming, outgoing } = context.env ?? {};
    if (incoming && outgoing) closeUnlessRead(incoming as IncomingMessage, outgoing as ServerResponse);
    deps.metrics.observe(
      context.req.routePath === '/*' ? 'other' : `${context.req.method} ${context.req.routePath}`,
      context.res.status,
      (performance.now() - started) / 1000,
      { requestId, traceparent: context.req.header('traceparent') },
    );
  });

  addRoutes(app, deps);

  const methodsAt = methodsByPath(deps);
  app.notFound(async (context) => {
    const allowed = methodsAt(context.req.path);
    if (allowed.length > 0) {
      const answer = refusal(dispatchErrors.method_not_allowed(), context.get('requestId'));
      answer.headers.set('allow', allowed.join(', '));
      return answer;
    }
    const readsPage = context.req.method === 'GET' || context.req.method === 'HEAD';
    const isApi = /^\/(v1|a2p|a2a|agent-channel|mcp|conform|\.well-known)(\/|$)/.test(context.req.path);
    const file =
      readsPage && !isApi
        ? await deps.files?.(context.req.path, context.req.header('accept-encoding'))
        : undefined;
    return file ?? refusal(dispatchErrors.route_not_found(), context.get('requestId'));
  });

  app.onError((error, context) => {
    deps.log(error, { requestId: context.get('requestId'), operation: context.req.path });
    return refusal(error, context.get('requestId'));
  });

  return app;
}

function refusal(thrown: unknown, requestId: string): Response {
  return webResponseOf(refusalBy(oursWire, thrown, requestId));
}

/** The patterns are made with the first path that nothing is at. */
function methodsByPath({ registry }: HttpDeps): (path: string) => string[] {
  let routes: { readonly method: string; readonly pattern: RegExp }[] | undefined;
  return (path) => {
    routes ??= [...registry.values()].flatMap(({ operation: { http } }) =>
      http && http.method !== 'ANY' ? [{ method: http.method, pattern: pathPattern(http.path) }] : [],
    );
    const found = routes.filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.map(({ method }) => method))].sort();
  };
}
