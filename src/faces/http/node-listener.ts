// For speed: a request, with its client, takes 1.5 times as long by way of Hono and the web's objects.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dispatchErrors } from '../../spine/dispatch/errors.ts';
import type { Flow } from '../../spine/operations/flow.ts';
import { isFlow, type PlainAnswer, pathOf } from '../../spine/operations/plain.ts';
import { answerCall, answerPlain } from './call.ts';
import { guardAgainstForeignPages, SECURITY_HEADERS } from './guard.ts';
import { requestIdOf } from './http-request.ts';
import type { FirstListener } from './listen.ts';
import { closeUnlessRead, declaredLength, NodeRequest } from './node-request.ts';
import { refusalBy } from './refusal.ts';
import { createRouteTable, type FoundRoute } from './route-table.ts';
import type { HttpDeps } from './server.ts';
import { oursWire } from './wires/ours.ts';

/** Anything less plain goes to Hono, which knows every spelling of an address. */
const PLAIN_TARGET = /^\/[\w\-.~!$&'()*+,;=:@%/]*(\?[\w\-.~!$&'()*+,;=:@%/?[\]]*)?$/;
const DOTTED = /\/\.{0,2}(\/|$)/;
const PLAIN_HOST = /^[a-z\d._-]+(:\d+)?$/i;

/**
 * Answers calls and plain operations from Node's own objects, under the same guard, ids, errors and counts as every
 * other request has: to make the web's of them costs more than to route, check and answer. False if the request is
 * not for one of them.
 */
export function createNodeListener(deps: HttpDeps): FirstListener {
  const routeTo = rememberRoutes(createRouteTable(deps.registry));

  return (incoming, outgoing) => {
    const { url: target = '', method = '' } = incoming;
    if (!PLAIN_HOST.test(incoming.headers.host ?? '')) return false;
    const route = routeTo(method, target);
    if (!route || !canAnswer(route, incoming, deps)) return false;
    void answer(route, incoming, outgoing, deps);
    return true;
  };
}

const ROUTES_KEPT = 1_000;
const LONGEST_KEPT = 200;

/** Agents request the same few addresses again and again. */
function rememberRoutes(find: ReturnType<typeof createRouteTable>): typeof find {
  const known = new Map<string, FoundRoute | undefined>();
  return (method, target) => {
    const key = `${method} ${target}`;
    if (known.has(key)) return known.get(key);
    const path = pathOf(target);
    const route = PLAIN_TARGET.test(target) ? routeAt(find, method, path) : undefined;
    if (known.size >= ROUTES_KEPT) known.clear();
    if (key.length <= LONGEST_KEPT) known.set(key, route);
    return route;
  };
}

/** Protocols whose requests are read by their operation take an address with and without a slash at its end. */
function routeAt(
  find: ReturnType<typeof createRouteTable>,
  method: string,
  path: string,
): FoundRoute | undefined {
  const trimmed = path.replace(/\/+$/, '');
  if (trimmed === path || trimmed === '') return DOTTED.test(path) ? undefined : find(method, path);
  const route = DOTTED.test(trimmed) ? undefined : find(method, trimmed);
  return route?.bound.operation.kind === 'plain' ? route : undefined;
}

/** A body that may be refused before it has arrived is left to the path that can abandon it. */
function canAnswer(
  { bound: { operation } }: FoundRoute,
  incoming: IncomingMessage,
  { body }: HttpDeps,
): boolean {
  if (operation.kind === 'plain') return true;
  if (operation.kind !== 'call' || incoming.headers['transfer-encoding'] !== undefined) return false;
  return declaredLength(incoming) <= (operation.http?.maxBytes ?? body.maxBytes);
}

async function answer(
  route: FoundRoute,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  deps: HttpDeps,
): Promise<void> {
  const started = performance.now();
  const requestId = requestIdOf(one(incoming.headers['x-request-id']), deps);
  const answered = await answerOf(route, incoming, outgoing, requestId, deps);
  closeUnlessRead(incoming, outgoing);
  try {
    await send(outgoing, answered, requestId);
  } catch (thrown) {
    if (!outgoing.destroyed) deps.log(thrown, { requestId, operation: route.bound.operation.name });
    outgoing.destroy();
  }
  const seconds = (performance.now() - started) / 1000;
  deps.metrics.observe(`${incoming.method} ${route.label}`, outgoing.statusCode, seconds, {
    requestId,
    traceparent: one(incoming.headers.traceparent),
  });
}

async function answerOf(
  { bound, params }: FoundRoute,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  requestId: string,
  deps: HttpDeps,
): Promise<PlainAnswer> {
  const { host = '', origin } = incoming.headers;
  try {
    guardAgainstForeignPages({ host, origin }, deps);
    if (deps.closing.aborted) throw dispatchErrors.shutting_down();
  } catch (thrown) {
    return refusalBy(oursWire, thrown, requestId);
  }
  const request = new NodeRequest(incoming, outgoing, params, deps.body.idleSeconds);
  const answer = bound.operation.kind === 'call' ? answerCall : answerPlain;
  return answer(bound, request, requestId, deps);
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(', ');
}

async function send(
  outgoing: ServerResponse,
  { status, headers: own, body }: PlainAnswer,
  requestId: string,
): Promise<void> {
  if (body === null) {
    outgoing.writeHead(status, headerList(own, requestId)).end();
  } else if (isFlow(body)) {
    outgoing.writeHead(status, headerList(own, requestId));
    await pour(outgoing, body);
  } else {
    outgoing.writeHead(status, headerList(own, requestId, Buffer.byteLength(body))).end(body);
  }
}

const SECURITY_HEADER_LIST = Object.entries(SECURITY_HEADERS).flat();

/** Names and values in turn, which Node writes unchanged: merging header objects costs more than routing. */
function headerList(own: PlainAnswer['headers'], requestId: string, length?: number): string[] {
  const list = [...SECURITY_HEADER_LIST, 'x-request-id', requestId];
  if (length !== undefined) list.push('content-length', String(length));
  for (const name of Object.keys(own)) {
    const isSet = name in SECURITY_HEADERS || name === 'x-request-id';
    if (isSet || (name === 'content-length' && length !== undefined)) continue;
    list.push(name, own[name] as string);
  }
  return list;
}

/** Headers are sent with the first piece, unless it is slow to come. */
function pour(outgoing: ServerResponse, flow: Flow): Promise<void> {
  return new Promise((resolve, reject) => {
    // If the caller left earlier, `close` does not fire again.
    if (outgoing.destroyed) {
      flow.leave();
      return resolve();
    }
    let begun = false;
    outgoing.once('close', () => {
      flow.leave();
      resolve();
    });
    flow.into({
      write(piece) {
        begun = true;
        const hasRoom = outgoing.write(piece) && !outgoing.destroyed;
        if (!hasRoom) outgoing.once('drain', () => flow.more());
        return hasRoom;
      },
      end(fault) {
        begun = true;
        if (fault !== undefined) return reject(fault);
        outgoing.end();
        resolve();
      },
    });
    if (!begun) setImmediate(() => begun || outgoing.flushHeaders());
  });
}
