import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { asBatonError, type Dispatcher, type Invocation } from '../dispatch/dispatch.ts';
import { dispatchErrors } from '../dispatch/errors.ts';
import type { InputParts } from '../dispatch/parse.ts';
import type { Bound, Registry } from '../dispatch/registry.ts';
import type { Principal } from '../identity/principal.ts';
import type { Clock } from '../kernel/clock.ts';
import { formatMillis } from '../kernel/instant.ts';
import { type JsonDocument, readDocument } from '../kernel/json/reader.ts';
import { decodeUtf8 } from '../kernel/json/utf8.ts';
import type { Operation } from '../operations/define.ts';
import { decodeFields } from '../operations/text-input.ts';
import { type BodyLimits, readBody } from './body.ts';
import { SECURITY_HEADERS } from './guard.ts';
import { routerPath } from './path-pattern.ts';
import { plainRequestOf, webResponseOf } from './plain-web.ts';
import { sseResponse } from './sse.ts';
import { asksForWebSocket, webSocketResponse } from './web-socket.ts';
import { wires } from './wires/index.ts';

export interface RouteServices {
  readonly registry: Registry;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly body: BodyLimits;
  /** Finds out who asks; throws where the credential is missing or bad. Not called for open operations. */
  readonly authenticate: (context: Context<HttpEnv>, operation: Operation) => Promise<Principal>;
  readonly anonymous: Principal;
  /** Fires when the server stops: streams end, so that clients reconnect elsewhere. */
  readonly closing: AbortSignal;
  readonly log: (error: unknown, context: { requestId: string; operation: string }) => void;
}

export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** The answer has the headers that all have: to add one later makes an object of each, and costs more than routing. */
    complete?: true;
  };
}

/** Every operation with an HTTP face becomes a route; a path that continues another's goes first. */
export function addRoutes(app: Hono<HttpEnv>, services: RouteServices): void {
  const bounds = [...services.registry.values()].filter((bound) => bound.operation.http);
  bounds.sort((a, b) => specificity(b.operation.http!.path) - specificity(a.operation.http!.path));
  for (const bound of bounds) {
    const { method, path } = bound.operation.http!;
    const pattern = routerPath(path);
    const handle = (context: Context<HttpEnv>) => answer(context, bound, services);
    if (method === 'ANY') app.all(pattern, handle);
    else app.on(method, pattern, handle);
  }
}

/** `/v1/traces/stream` before `/v1/traces/{session_id}`: literal segments weigh more. */
function specificity(path: string): number {
  return path
    .split('/')
    .reduce((sum, part) => sum * 3 + (part.includes('*}') ? 0 : part.startsWith('{') ? 1 : 2), 1);
}

async function answer(context: Context<HttpEnv>, bound: Bound, services: RouteServices): Promise<Response> {
  const { operation } = bound;
  const wire = wires[operation.wire];
  const requestId = context.get('requestId');
  try {
    const principal =
      operation.scope === 'open' ? services.anonymous : await services.authenticate(context, operation);
    const gone = operation.kind === 'call' ? undefined : new AbortController();
    let signal: AbortSignal | undefined;
    const invocation: Invocation = {
      principal,
      parts: await takeApart(context, operation, services.body),
      requestId,
      // Most operations never look: a signal costs more than routing the request.
      get signal() {
        signal ??= AbortSignal.any([
          context.req.raw.signal,
          services.closing,
          ...(gone ? [gone.signal] : []),
        ]);
        return signal;
      },
      idempotencyKey: context.req.header('idempotency-key'),
    };
    if (operation.kind === 'raw') return await services.dispatcher.raw(bound, context.req.raw, invocation);
    if (operation.kind === 'plain') {
      const asked = plainRequestOf(context.req.raw);
      return webResponseOf(await services.dispatcher.plain(bound, asked, invocation));
    }
    if (operation.kind === 'stream') {
      const items = await services.dispatcher.stream(bound, invocation);
      const stop = () => gone?.abort();
      return asksForWebSocket(context)
        ? await webSocketResponse(context, items, stop)
        : sseResponse(items, stop);
    }
    const rendered = await services.dispatcher.call(bound, invocation);
    const bodyless = rendered.status === 204 || rendered.status === 304;
    const text = bodyless ? null : wire.success(rendered.body, requestId, formatMillis(services.clock.now()));
    context.set('complete', true);
    return new Response(text, {
      status: rendered.status,
      headers: {
        ...(bodyless ? SECURITY_HEADERS : JSON_HEADERS),
        'x-request-id': requestId,
        ...rendered.headers,
      },
    });
  } catch (thrown) {
    const error = asBatonError(thrown);
    if (error.status >= 500) services.log(thrown, { requestId, operation: operation.name });
    const spelled = wire.error(error, requestId);
    return new Response(JSON.stringify(spelled.body), {
      status: spelled.status,
      headers: {
        'content-type': 'application/json',
        ...spelled.headers,
        // The rest of the body is still on its way: the connection cannot serve another request.
        ...(UNREAD.has(error.code) && { connection: 'close' }),
      },
    });
  }
}

const JSON_HEADERS = { 'content-type': 'application/json', ...SECURITY_HEADERS };

const UNREAD = new Set(['body_too_large', 'body_timeout']);

async function takeApart(
  context: Context<HttpEnv>,
  operation: Operation,
  limits: BodyLimits,
): Promise<InputParts> {
  const { input, http } = operation;
  const headers: Record<string, string> = {};
  for (const name of Object.keys(input.headers?.shape ?? {})) {
    const value = context.req.header(name);
    if (value !== undefined) headers[name] = value;
  }
  return {
    path: decodeFields(input.path, context.req.param() as Record<string, string>),
    query: input.query ? decodeFields(input.query, context.req.queries()) : {},
    headers: decodeFields(input.headers, headers),
    document: input.body
      ? await readJsonBody(context, { ...limits, maxBytes: http?.maxBytes ?? limits.maxBytes })
      : undefined,
  };
}

async function readJsonBody(
  context: Context<HttpEnv>,
  limits: BodyLimits,
): Promise<JsonDocument | undefined> {
  const bytes = await readBody(context.req.raw, limits);
  if (bytes.byteLength === 0) return undefined;
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)) {
    throw dispatchErrors.unsupported_media_type({ details: { content_type: type } });
  }
  return readDocument(decodeUtf8(bytes), { maxBytes: limits.maxBytes });
}
