import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { asBatonError } from '../dispatch/dispatch.ts';
import { dispatchErrors } from '../dispatch/errors.ts';
import type { Bound } from '../dispatch/registry.ts';
import { type PlainBody, type PlainRequest, pathOf } from '../operations/plain.ts';
import { guardAgainstForeignPages, SECURITY_HEADERS } from './guard.ts';
import type { FirstListener } from './listen.ts';
import { pathPattern, routerPath } from './path-pattern.ts';
import { requestIdOf } from './request-id.ts';
import type { HttpServices } from './server.ts';
import { wires } from './wires/index.ts';

interface PlainRoute {
  readonly bound: Bound;
  readonly method: string;
  readonly pattern: RegExp;
  /** As the metrics name it. */
  readonly label: string;
}

/** Anything less plain than this goes the way of all other requests, which knows every spelling of an address. */
const PLAIN_TARGET = /^\/[\w\-.~!$&'()*+,;=:@%/]*(\?[\w\-.~!$&'()*+,;=:@%/?[\]]*)?$/;
const DOTTED = /\/\.{0,2}(\/|$)/;
const PLAIN_HOST = /^[a-z\d._-]+(:\d+)?$/i;

/**
 * Answers the plain operations from Node's own objects, under the same guard, ids, errors and counts as every other
 * request has. False where the request is not for one of them.
 */
export function createPlainListener(services: HttpServices): FirstListener {
  const routes = [...services.registry.values()].flatMap(routeOf);

  return (incoming, outgoing) => {
    const { url: target = '', method = '' } = incoming;
    const { host = '' } = incoming.headers;
    const path = pathOf(target);
    const route = routes.find(
      (each) => (each.method === 'ANY' || each.method === method) && each.pattern.test(path),
    );
    if (!route || !PLAIN_TARGET.test(target) || DOTTED.test(path) || !PLAIN_HOST.test(host)) return false;
    void answer(route, path, incoming, outgoing, services);
    return true;
  };
}

function routeOf(bound: Bound): PlainRoute[] {
  if (bound.operation.kind !== 'plain') return [];
  const { method, path } = bound.operation.http;
  return [{ bound, method, pattern: pathPattern(path), label: routerPath(path) }];
}

async function answer(
  { bound, pattern, label }: PlainRoute,
  path: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  services: HttpServices,
): Promise<void> {
  const started = performance.now();
  const { headers } = incoming;
  const requestId = requestIdOf(one(headers['x-request-id']), services);
  const common = { ...SECURITY_HEADERS, 'x-request-id': requestId };
  try {
    guardAgainstForeignPages({ host: headers.host ?? '', origin: headers.origin }, services);
    if (services.closing.aborted) throw dispatchErrors.shutting_down();
    const request = nodeRequest(incoming, outgoing);
    const {
      status,
      headers: own,
      body,
    } = await services.dispatcher.plain(bound, request, {
      principal: services.anonymous,
      parts: { path: decoded(pattern.exec(path)?.groups ?? {}), query: {}, headers: {}, document: undefined },
      requestId,
      get signal() {
        return request.signal;
      },
    });
    await send(outgoing, status, { ...own, ...common }, body);
  } catch (thrown) {
    const error = asBatonError(thrown);
    if (error.status >= 500 && !outgoing.destroyed)
      services.log(thrown, { requestId, operation: bound.operation.name });
    const spelled = wires[bound.operation.wire].error(error, requestId);
    const refused = { 'content-type': 'application/json', ...spelled.headers, ...common };
    if (outgoing.headersSent) outgoing.destroy();
    else await send(outgoing, spelled.status, refused, JSON.stringify(spelled.body));
  }
  const seconds = (performance.now() - started) / 1000;
  services.metrics.observe(`${incoming.method} ${label}`, outgoing.statusCode, seconds);
}

function decoded(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodedOr(value)]));
}

function decodedOr(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(', ');
}

function nodeRequest(incoming: IncomingMessage, outgoing: ServerResponse): PlainRequest {
  let gone: AbortController | undefined;
  const scheme = (incoming.socket as TLSSocket).encrypted ? 'https' : 'http';
  return {
    method: incoming.method ?? '',
    origin: `${scheme}://${incoming.headers.host}`,
    target: incoming.url ?? '',
    // Only `set-cookie` may stand more than once, and no request has it.
    headers: incoming.headers as PlainRequest['headers'],
    bytes: (most) => readBytes(incoming, most),
    get signal() {
      if (gone === undefined) {
        const leaving = new AbortController();
        gone = leaving;
        if (outgoing.destroyed) leaving.abort();
        else outgoing.once('close', () => outgoing.writableFinished || leaving.abort());
      }
      return gone.signal;
    },
  };
}

function readBytes(incoming: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > most) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    incoming.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > most) resolve(undefined);
      else pieces.push(piece);
    });
    incoming.once('end', () => resolve(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)));
    incoming.once('error', reject);
  });
}

async function send(
  outgoing: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: PlainBody,
): Promise<void> {
  if (body !== null && typeof body === 'object' && Symbol.asyncIterator in body) {
    outgoing.writeHead(status, headers);
    await pour(outgoing, body);
  } else {
    outgoing.writeHead(
      status,
      body === null ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
    );
    outgoing.end(body ?? undefined);
  }
}

/** The headers wait for the first piece, unless that lets itself be waited for. */
async function pour(outgoing: ServerResponse, body: AsyncIterable<Uint8Array>): Promise<void> {
  const iterator = body[Symbol.asyncIterator]();
  outgoing.once('close', () => void iterator.return?.());
  const soon = setImmediate(() => outgoing.flushHeaders());
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      clearImmediate(soon);
      if (!outgoing.write(next.value) && !outgoing.destroyed) await room(outgoing);
      if (outgoing.destroyed) return;
    }
  } finally {
    clearImmediate(soon);
    outgoing.end();
  }
}

/** Until the caller takes more, or has gone. */
function room(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}
